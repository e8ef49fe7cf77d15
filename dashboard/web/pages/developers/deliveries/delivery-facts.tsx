import { useQuery } from '@tanstack/react-query'
import { deliveriesMatch, type Delivery } from '../../../api/deliveries.ts'
import { endpointQuery } from '../../../api/webhooks.ts'
import { TextLink } from '../../../parts/links/links.tsx'
import { CopiedFact, Fact, Facts } from '../../../parts/text/facts.tsx'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { useDeveloperWords } from '../words.ts'

interface Props {
  account: string
  delivery: Delivery
}

/** What is known of a delivery, with links to what it belongs to. */
export function DeliveryFacts({ account, delivery }: Props) {
  const { delivery: words, deliveries, endpoints } = useDeveloperWords()
  const { id, event_id: eventId, retry_of: retryOf, replay_id: replay } = delivery
  return (
    <Facts>
      <Fact
        name={endpoints.endpoint}
        value={<EndpointLink account={account} id={delivery.endpoint_id} />}
      />
      <CopiedFact name={words.eventId} value={eventId} />
      <CopiedFact name={words.id} value={String(id)} />
      <Fact
        name={words.repeats}
        value={
          retryOf !== null && (
            <TextLink
              size="sm"
              to="/accounts/$account/developers/deliveries/$delivery"
              params={{ account, delivery: String(retryOf) }}
              search={deliveriesMatch}
            >
              {retryOf}
            </TextLink>
          )
        }
      />
      <Fact
        name={words.replay}
        value={
          replay !== null && (
            <TextLink
              size="sm"
              to="/accounts/$account/developers/deliveries"
              params={{ account }}
              search={{ replay }}
            >
              {replay}
            </TextLink>
          )
        }
      />
      <Fact name={deliveries.created} value={<RelativeTime at={delivery.created_at} />} />
      <Fact
        name={deliveries.ended}
        value={delivery.completed_at !== null && <RelativeTime at={delivery.completed_at} />}
      />
    </Facts>
  )
}

function EndpointLink({ account, id }: { account: string; id: number }) {
  const { data } = useQuery(endpointQuery(account, id))
  return (
    <TextLink
      size="sm"
      to="/accounts/$account/developers/webhooks/$endpoint"
      params={{ account, endpoint: String(id) }}
    >
      <bdi dir="ltr">{data?.url ?? id}</bdi>
    </TextLink>
  )
}
