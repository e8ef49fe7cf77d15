import { useQuery } from '@tanstack/react-query'
import type { DeliveriesMatch, DeliverySummary } from '../../../api/deliveries.ts'
import { endpointsQuery } from '../../../api/webhooks.ts'
import {
  Cell,
  DataTable,
  Folded,
  MainCell,
  RowLink,
  RowNote,
} from '../../../parts/lists/data-table.tsx'
import { LongText } from '../../../parts/text/long-text.tsx'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import classes from '../developers.module.css'
import { useDeveloperWords } from '../words.ts'
import { DeliveryStatusBadge, LastResponse } from './delivery-status.tsx'

interface Props {
  account: string
  deliveries: DeliverySummary[]
  /** What the list shows; the page of a delivery leads on within it. */
  match: DeliveriesMatch
  /** False on the page of an endpoint, which says it already. */
  hasEndpoint?: boolean
}

/** Deliveries; a row leads to the page of its delivery. */
export function DeliveriesTable({ account, deliveries, match, hasEndpoint = false }: Props) {
  const { deliveries: words } = useDeveloperWords()
  const { event, status, answer, attempts, created } = words
  return (
    <DataTable
      label={words.title}
      name="deliveries"
      columns={[event, status, answer, attempts, created]}
    >
      {deliveries.map((delivery) => (
        <DeliveryRow
          key={delivery.id}
          account={account}
          delivery={delivery}
          match={match}
          hasEndpoint={hasEndpoint}
        />
      ))}
    </DataTable>
  )
}

interface RowProps extends Pick<Props, 'account' | 'match'> {
  delivery: DeliverySummary
  hasEndpoint: boolean
}

function DeliveryRow({ account, delivery, match, hasEndpoint }: RowProps) {
  const { id, event_type: type, status, attempt_count: attempts, created_at: created } = delivery
  return (
    <tr>
      <MainCell>
        <RowLink
          to="/accounts/$account/developers/deliveries/$delivery"
          params={{ account, delivery: String(id) }}
          search={match}
        >
          <bdi className={classes.mono} dir="ltr">
            {type}
          </bdi>
        </RowLink>
        {hasEndpoint && <EndpointName account={account} id={delivery.endpoint_id} />}
        <Folded>
          <DeliveryStatusBadge status={status} />
          <LastResponse delivery={delivery} />
          <RelativeTime at={created} />
        </Folded>
      </MainCell>
      <Cell isFolded>
        <DeliveryStatusBadge status={status} />
      </Cell>
      <Cell isFolded>
        <LastResponse delivery={delivery} />
      </Cell>
      <Cell isFolded>{attempts}</Cell>
      <Cell isFolded>
        <RelativeTime at={created} />
      </Cell>
    </tr>
  )
}

function EndpointName({ account, id }: { account: string; id: number }) {
  const { data } = useQuery(endpointsQuery(account))
  const url = data?.find((endpoint) => endpoint.id === id)?.url
  return (
    <RowNote>
      <LongText isCode>{url ?? '…'}</LongText>
    </RowNote>
  )
}
