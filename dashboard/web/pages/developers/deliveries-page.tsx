import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { deliveriesQuery } from '../../api/deliveries.ts'
import { useMay } from '../../api/me.ts'
import { IconSearchOff, IconSend } from '../../icons/icons.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { ButtonLink } from '../../parts/links/links.tsx'
import { TableSkeleton } from '../../parts/lists/data-table.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { DeliveriesTable } from './deliveries/deliveries-table.tsx'
import { DeliveryFilters } from './deliveries/delivery-filters.tsx'
import { DocsLink } from './docs-link.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers/deliveries')

/** All deliveries of the account, newest first, filtered by the address. */
function DeliveriesPage() {
  const { deliveries: words } = useDeveloperWords()
  const { account } = route.useParams()
  const filter = route.useSearch()
  const { data, error, refetch } = useQuery(deliveriesQuery(account, filter))
  const { status, endpoint, event, replay, after, before } = filter
  const isFiltered = Boolean(status ?? endpoint ?? event ?? replay)
  const isEmpty = data?.data.length === 0
  const hasNone = isEmpty && !isFiltered && !after && !before
  return (
    <>
      <PageHeader title={words.title} actions={!hasNone && <ReplayButton />} />
      <p className={layout.intro}>{words.intro}</p>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {hasNone ? (
        <NoDeliveries account={account} />
      ) : (
        <>
          <DeliveryFilters />
          {isEmpty && <NoMatch account={account} />}
          {data && !isEmpty && (
            <DeliveriesTable
              account={account}
              deliveries={data.data}
              match={{ status, endpoint, event, replay }}
              hasEndpoint
            />
          )}
          {!data && !error && <TableSkeleton rows={8} />}
          {data && <Pager page={data} cursors={filter} />}
        </>
      )}
    </>
  )
}

/** Leads to a replay of what the filter shows, so that it reaches beyond this page. */
function ReplayButton() {
  const { deliveries: words } = useDeveloperWords()
  const { account } = route.useParams()
  const { endpoint, status } = route.useSearch()
  if (!useMay(account, 'webhooks:write')) return null
  return (
    <ButtonLink
      to="/accounts/$account/developers/replays/start"
      params={{ account }}
      search={{ endpoint, kind: status === 'delivered' ? 'delivered' : 'failed' }}
      variant="default"
    >
      {words.replay}
    </ButtonLink>
  )
}

/** Deliveries come with the first endpoint. */
function NoDeliveries({ account }: { account: string }) {
  const { deliveries: words, endpoints } = useDeveloperWords()
  const mayAdd = useMay(account, 'webhooks:write')
  return (
    <EmptyState icon={IconSend} sample="rows" title={words.emptyTitle} text={words.emptyText}>
      {mayAdd && (
        <ButtonLink to="/accounts/$account/developers/webhooks" params={{ account }}>
          {endpoints.title}
        </ButtonLink>
      )}
      <DocsLink account={account} />
    </EmptyState>
  )
}

function NoMatch({ account }: { account: string }) {
  const { deliveries: words } = useDeveloperWords()
  return (
    <EmptyState icon={IconSearchOff} title={words.noneTitle} text={words.noneText}>
      <ButtonLink
        variant="default"
        to="/accounts/$account/developers/deliveries"
        params={{ account }}
      >
        {words.clear}
      </ButtonLink>
    </EmptyState>
  )
}

export const deliveriesRoute = createLazyRoute('/accounts/$account/developers/deliveries')({
  component: DeliveriesPage,
})
