import { Alert, Code, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { deliveryWorkflowId } from '../../../../domain/workflow-ids.ts'
import {
  deliveriesMatch,
  deliveryNeighboursQuery,
  deliveryQuery,
  type Delivery,
} from '../../api/deliveries.ts'
import { useMay } from '../../api/me.ts'
import { useWords } from '../../locales/words.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { Breadcrumb } from '../../parts/links/breadcrumb.tsx'
import { TextLink } from '../../parts/links/links.tsx'
import { WorkflowLink } from '../../parts/links/workflow-link.tsx'
import { Neighbours } from '../../parts/lists/neighbours.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { AttemptChoice } from './deliveries/attempt-choice.tsx'
import { AttemptView } from './deliveries/attempt-view.tsx'
import { DeliveryFacts } from './deliveries/delivery-facts.tsx'
import { DeliveryStatusBadge } from './deliveries/delivery-status.tsx'
import { useFailureText } from './deliveries/failure-text.ts'
import { NextAttempt } from './deliveries/next-attempt.tsx'
import { Resend } from './deliveries/resend.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers/deliveries/$delivery')

/** One delivery: what was sent, the response to each attempt, and when the next one follows. */
function DeliveryPage() {
  const { areas } = useWords()
  const { delivery: words } = useDeveloperWords()
  const { account, delivery: id } = route.useParams()
  const { data, error, refetch } = useQuery(deliveryQuery(account, Number(id)))
  return (
    <>
      <Breadcrumb beside={<DeliveryNeighbours account={account} id={Number(id)} />}>
        <TextLink
          to="/accounts/$account/developers"
          params={{ account }}
          activeOptions={{ exact: true }}
          inherit
        >
          {areas.developers}
        </TextLink>
        <TextLink
          to="/accounts/$account/developers/deliveries"
          params={{ account }}
          search={deliveriesMatch}
          activeOptions={{ exact: true }}
          inherit
        >
          {words.back}
        </TextLink>
      </Breadcrumb>
      {!data && <PageHeader title={words.id} />}
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data && <Details key={id} account={account} delivery={data} />}
      {!data && !error && <Skeleton height={520} />}
    </>
  )
}

/** The deliveries beside this one in the list that led here. */
function DeliveryNeighbours({ account, id }: { account: string; id: number }) {
  const match = deliveriesMatch(route.useSearch())
  const { data: ids, error } = useQuery(deliveryNeighboursQuery(account, id, match))
  const navigate = useNavigate()
  const open = useCallback(
    (delivery: string) =>
      void navigate({
        to: '/accounts/$account/developers/deliveries/$delivery',
        params: { account, delivery },
        search: deliveriesMatch,
      }),
    [account, navigate],
  )
  if (error && !ids) return null
  return <Neighbours ids={ids} onOpen={open} />
}

interface Props {
  account: string
  delivery: Delivery
}

function Details({ account, delivery }: Props) {
  const { delivery: words } = useDeveloperWords()
  const { attempt: chosen } = route.useSearch()
  const mayWrite = useMay(account, 'webhooks:write')
  const { attempts } = delivery
  const attempt = attempts.find(({ number }) => number === chosen) ?? attempts.at(-1)
  return (
    <>
      <PageHeader
        title={delivery.event_type}
        actions={
          <>
            <WorkflowLink account={account} id={deliveryWorkflowId(delivery.id)} isDelivery />
            {mayWrite && <Resend account={account} delivery={delivery} />}
          </>
        }
      >
        <DeliveryStatusBadge status={delivery.status} />
      </PageHeader>
      <div className={layout.column}>
        <Failure delivery={delivery} />
        {delivery.status === 'pending' && <NextAttempt delivery={delivery} />}
        <DeliveryFacts account={account} delivery={delivery} />
        {attempts.length > 1 && <AttemptChoice delivery={delivery} chosen={attempt?.number} />}
        {attempt === undefined && (
          <Text size="sm" c="dimmed">
            {words.noAttempt}
          </Text>
        )}
        <AttemptView account={account} delivery={delivery} attempt={attempt} />
      </div>
    </>
  )
}

/** Why an ended delivery has failed. */
function Failure({ delivery: { status, error_code: code } }: { delivery: Delivery }) {
  const { delivery: words } = useDeveloperWords()
  const failureText = useFailureText()
  if (status !== 'failed' || code === null) return null
  return (
    <Alert color="red" title={words.failed}>
      <Text size="sm">
        {failureText(code)} <Code>{code}</Code>
      </Text>
    </Alert>
  )
}

export const deliveryRoute = createLazyRoute('/accounts/$account/developers/deliveries/$delivery')({
  component: DeliveryPage,
})
