import { Alert, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { deliveriesQuery } from '../../api/deliveries.ts'
import { useMay } from '../../api/me.ts'
import { ENDPOINT_REFRESH_MS, endpointQuery, type Endpoint } from '../../api/webhooks.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { Breadcrumb } from '../../parts/links/breadcrumb.tsx'
import { TextLink } from '../../parts/links/links.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Section } from '../../parts/section.tsx'
import { CodeSnippet } from '../../parts/text/code-snippet.tsx'
import { DeliveriesTable } from './deliveries/deliveries-table.tsx'
import classes from './developers.module.css'
import { EndpointActions } from './endpoints/endpoint-actions.tsx'
import { EndpointFacts } from './endpoints/endpoint-facts.tsx'
import { EndpointHealth, healthOf } from './endpoints/endpoint-health.tsx'
import { VERIFY_BY_SDK } from './samples.ts'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers/webhooks/$endpoint')

/** One endpoint: its health, its recent deliveries and its facts. Its children are the dialogs that change it. */
function EndpointPage() {
  const { areas } = useWords()
  const { endpoints } = useDeveloperWords()
  const { account, endpoint: id } = route.useParams()
  const mayWrite = useMay(account, 'webhooks:write')
  const { data, error, refetch } = useQuery({
    ...endpointQuery(account, Number(id)),
    refetchInterval: ENDPOINT_REFRESH_MS,
  })
  return (
    <>
      <Breadcrumb>
        <TextLink
          to="/accounts/$account/developers"
          params={{ account }}
          activeOptions={{ exact: true }}
          inherit
        >
          {areas.developers}
        </TextLink>
        <TextLink
          to="/accounts/$account/developers/webhooks"
          params={{ account }}
          activeOptions={{ exact: true }}
          inherit
        >
          {endpoints.title}
        </TextLink>
      </Breadcrumb>
      <PageHeader
        title={data?.url ?? endpoints.endpoint}
        actions={data && mayWrite && <EndpointActions account={account} endpoint={data} />}
      >
        {data && <EndpointHealth endpoint={data} />}
      </PageHeader>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data && <Details account={account} endpoint={data} />}
      {!data && !error && <Skeleton height={420} />}
      <Outlet />
    </>
  )
}

interface Props {
  account: string
  endpoint: Endpoint
}

function Details({ account, endpoint }: Props) {
  const { catalog } = useDeveloperWords()
  return (
    <>
      <HealthNotice endpoint={endpoint} />
      <div className={classes.columns}>
        <RecentDeliveries account={account} endpoint={endpoint} />
        <EndpointFacts account={account} endpoint={endpoint} />
      </div>
      <Section className={`${layout.section} ${classes.verify}`} title={catalog.verify}>
        <CodeSnippet code={VERIFY_BY_SDK} label={catalog.verify} language="typescript" />
      </Section>
    </>
  )
}

/** Why the endpoint is off, or that it fails. */
function HealthNotice({ endpoint }: { endpoint: Endpoint }) {
  const { endpoints } = useDeveloperWords()
  const { disabled_reason: reason, failure_count: failures } = endpoint
  const health = healthOf(endpoint)
  if (health === 'active') return null
  return (
    <Alert color={health === 'off' ? 'gray' : 'red'} mb="lg">
      <Text size="sm">
        {health === 'off'
          ? reason && endpoints.reasons[reason]
          : interpolate(endpoints.failures, { number: failures })}
      </Text>
      {health === 'off' && <Text size="sm">{endpoints.offHint}</Text>}
    </Alert>
  )
}

function RecentDeliveries({ account, endpoint: { id } }: Props) {
  const { endpoints } = useDeveloperWords()
  const { data, error, refetch } = useQuery(deliveriesQuery(account, { endpoint: id }))
  return (
    <Section
      title={endpoints.recent}
      actions={
        <TextLink
          size="sm"
          to="/accounts/$account/developers/deliveries"
          params={{ account }}
          search={{ endpoint: id }}
        >
          {endpoints.all}
        </TextLink>
      }
    >
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {endpoints.none}
        </Text>
      )}
      {data && data.data.length > 0 && (
        <DeliveriesTable account={account} deliveries={data.data} match={{ endpoint: id }} />
      )}
      {!data && !error && <Skeleton height={180} />}
    </Section>
  )
}

export const endpointRoute = createLazyRoute('/accounts/$account/developers/webhooks/$endpoint')({
  component: EndpointPage,
})
