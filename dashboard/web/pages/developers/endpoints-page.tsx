import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { useMay } from '../../api/me.ts'
import { ENDPOINT_REFRESH_MS, endpointsQuery, type Endpoint } from '../../api/webhooks.ts'
import { IconPlus, IconWebhook } from '../../icons/icons.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { ButtonLink } from '../../parts/links/links.tsx'
import {
  Cell,
  DataTable,
  Folded,
  MainCell,
  RowLink,
  RowNote,
  TableSkeleton,
} from '../../parts/lists/data-table.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { LongText } from '../../parts/text/long-text.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { CodeChips } from './code-chips.tsx'
import { DocsLink } from './docs-link.tsx'
import { EndpointHealth } from './endpoints/endpoint-health.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers/webhooks')

/** The webhook endpoints of the account. Its child is the dialog that adds one. */
function EndpointsPage() {
  const { endpoints: words } = useDeveloperWords()
  const { account } = route.useParams()
  const { data, error, refetch } = useQuery({
    ...endpointsQuery(account),
    refetchInterval: ENDPOINT_REFRESH_MS,
  })
  const isEmpty = data?.length === 0
  return (
    <>
      <PageHeader
        title={words.title}
        actions={data && !isEmpty && <AddButton account={account} />}
      />
      <p className={layout.intro}>{words.intro}</p>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {isEmpty && (
        <EmptyState
          icon={IconWebhook}
          sample="code"
          title={words.emptyTitle}
          text={words.emptyText}
        >
          <AddButton account={account} />
          <DocsLink account={account} />
        </EmptyState>
      )}
      {data && !isEmpty && <EndpointsTable account={account} endpoints={data} />}
      {!data && !error && <TableSkeleton rows={3} />}
      <Outlet />
    </>
  )
}

/** Readers do not see it. */
function AddButton({ account }: { account: string }) {
  const { endpoints } = useDeveloperWords()
  if (!useMay(account, 'webhooks:write')) return null
  return (
    <ButtonLink
      to="/accounts/$account/developers/webhooks/add"
      params={{ account }}
      leftSection={<IconPlus size={16} />}
    >
      {endpoints.add}
    </ButtonLink>
  )
}

function EndpointsTable({ account, endpoints }: { account: string; endpoints: Endpoint[] }) {
  const { endpoints: words } = useDeveloperWords()
  const { endpoint: name, health, events, created } = words
  return (
    <DataTable label={words.title} columns={[name, health, events, created]}>
      {endpoints.map((endpoint) => (
        <EndpointRow key={endpoint.id} account={account} endpoint={endpoint} />
      ))}
    </DataTable>
  )
}

function EndpointRow({ account, endpoint }: { account: string; endpoint: Endpoint }) {
  const { id, url, description, events, created_at: created } = endpoint
  return (
    <tr>
      <MainCell>
        <RowLink
          to="/accounts/$account/developers/webhooks/$endpoint"
          params={{ account, endpoint: String(id) }}
        >
          <LongText isCode>{url}</LongText>
        </RowLink>
        {description !== '' && (
          <RowNote>
            <LongText>{description}</LongText>
          </RowNote>
        )}
        <Folded>
          <EndpointHealth endpoint={endpoint} />
          <RelativeTime at={created} />
        </Folded>
      </MainCell>
      <Cell isFolded>
        <EndpointHealth endpoint={endpoint} />
      </Cell>
      <Cell isFolded>
        <CodeChips names={events} most={2} />
      </Cell>
      <Cell isFolded>
        <RelativeTime at={created} />
      </Cell>
    </tr>
  )
}

export const endpointsRoute = createLazyRoute('/accounts/$account/developers/webhooks')({
  component: EndpointsPage,
})
