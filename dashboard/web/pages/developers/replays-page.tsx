import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { useMay } from '../../api/me.ts'
import { replaysQuery } from '../../api/webhooks.ts'
import { IconHistory } from '../../icons/icons.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { ButtonLink } from '../../parts/links/links.tsx'
import { TableSkeleton } from '../../parts/lists/data-table.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ReplaysTable } from './replays/replays-table.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers/replays')

/** The replays of the account, newest first. Its child is the dialog that starts one. */
function ReplaysPage() {
  const { replays: words } = useDeveloperWords()
  const { account } = route.useParams()
  const cursors = route.useSearch()
  const { data, error, refetch } = useQuery(replaysQuery(account, cursors))
  const isEmpty = data?.data.length === 0
  return (
    <>
      <PageHeader
        title={words.title}
        actions={data && !isEmpty && <StartButton account={account} />}
      />
      <p className={layout.intro}>{words.intro}</p>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {isEmpty && (
        <EmptyState
          icon={IconHistory}
          sample="rows"
          title={words.emptyTitle}
          text={words.emptyText}
        >
          <StartButton account={account} />
        </EmptyState>
      )}
      {data && !isEmpty && <ReplaysTable account={account} replays={data.data} />}
      {data && <Pager page={data} cursors={cursors} />}
      {!data && !error && <TableSkeleton rows={3} />}
      <Outlet />
    </>
  )
}

/** Readers do not see it. */
function StartButton({ account }: { account: string }) {
  const { replays: words } = useDeveloperWords()
  if (!useMay(account, 'webhooks:write')) return null
  return (
    <ButtonLink to="/accounts/$account/developers/replays/start" params={{ account }}>
      {words.start}
    </ButtonLink>
  )
}

export const replaysRoute = createLazyRoute('/accounts/$account/developers/replays')({
  component: ReplaysPage,
})
