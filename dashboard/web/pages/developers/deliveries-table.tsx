import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Delivery } from '../../api/deliveries.ts'
import { endpointsQuery } from '../../api/webhooks.ts'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { DeliveryStatusBadge, LastAnswer } from './delivery-status.tsx'
import classes from './developers.module.css'
import { useDeveloperWords } from './words.ts'

interface Props {
  account: string
  deliveries: Delivery[]
  /** False on the page of an endpoint, which says it already. */
  hasEndpoint?: boolean
}

/** Deliveries; a row leads to the page of its delivery. */
export function DeliveriesTable({ account, deliveries, hasEndpoint = false }: Props) {
  const { deliveries: words } = useDeveloperWords()
  return (
    <div className={classes.card}>
      <table className={classes.table} aria-label={words.title} data-links>
        <thead>
          <tr>
            <th scope="col">{words.event}</th>
            <th scope="col">{words.status}</th>
            <th scope="col">{words.answer}</th>
            <th scope="col">{words.attempts}</th>
            <th scope="col">{words.created}</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              account={account}
              delivery={delivery}
              hasEndpoint={hasEndpoint}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  account: string
  delivery: Delivery
  hasEndpoint: boolean
}

function DeliveryRow({ account, delivery, hasEndpoint }: RowProps) {
  const { id, event_type: type, status, attempt_count: attempts, created_at: created } = delivery
  return (
    <tr>
      <td className={classes.main}>
        <Link
          to="/accounts/$account/developers/deliveries/$delivery"
          params={{ account, delivery: String(id) }}
          className={`${classes.name} ${classes.mono}`}
        >
          <bdi dir="ltr">{type}</bdi>
        </Link>
        {hasEndpoint && <EndpointName account={account} id={delivery.endpoint_id} />}
        <div className={classes.narrow}>
          <DeliveryStatusBadge status={status} />
          <LastAnswer delivery={delivery} />
          <RelativeTime at={created} />
        </div>
      </td>
      <td className={classes.wide}>
        <DeliveryStatusBadge status={status} />
      </td>
      <td className={classes.wide}>
        <LastAnswer delivery={delivery} />
      </td>
      <td className={classes.wide}>{attempts}</td>
      <td className={classes.wide}>
        <RelativeTime at={created} />
      </td>
    </tr>
  )
}

function EndpointName({ account, id }: { account: string; id: number }) {
  const { data } = useQuery(endpointsQuery(account))
  const url = data?.find((endpoint) => endpoint.id === id)?.url
  return (
    <div className={classes.under}>
      <bdi dir="ltr">{url ?? '…'}</bdi>
    </div>
  )
}
