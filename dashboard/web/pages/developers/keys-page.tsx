import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { keysQuery } from '../../api/keys.ts'
import { meQuery, useMay } from '../../api/me.ts'
import { IconKey, IconPlus } from '../../icons/icons.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { ButtonLink } from '../../parts/links/links.tsx'
import { TableSkeleton } from '../../parts/lists/data-table.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { DocsLink } from './docs-link.tsx'
import { KeysTable } from './keys/keys-table.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers/keys')

/** The API keys of the account. Its child is the dialog that creates one. */
function KeysPage() {
  const { keys } = useDeveloperWords()
  const { account } = route.useParams()
  const { isPending } = useQuery(meQuery(account))
  const mayRead = useMay(account, 'keys:read')
  if (isPending || mayRead) return <Keys account={account} isReady={mayRead} />
  return (
    <>
      <PageHeader title={keys.title} />
      <EmptyState icon={IconKey} sample="code" title={keys.ownersTitle} text={keys.ownersText} />
    </>
  )
}

function Keys({ account, isReady }: { account: string; isReady: boolean }) {
  const { keys } = useDeveloperWords()
  const cursors = route.useSearch()
  const query = useQuery({ ...keysQuery(account, cursors), enabled: isReady })
  const { data, error, refetch } = query
  const isEmpty = data?.data.length === 0
  return (
    <>
      <PageHeader
        title={keys.title}
        actions={data && !isEmpty && <CreateButton account={account} />}
      />
      <p className={layout.intro}>{keys.intro}</p>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {isEmpty && (
        <EmptyState icon={IconKey} sample="code" title={keys.emptyTitle} text={keys.emptyText}>
          <CreateButton account={account} />
          <DocsLink account={account} />
        </EmptyState>
      )}
      {data && !isEmpty && <KeysTable account={account} keys={data.data} />}
      {data && <Pager page={data} cursors={cursors} />}
      {!data && !error && <TableSkeleton rows={3} />}
      <Outlet />
    </>
  )
}

function CreateButton({ account }: { account: string }) {
  const { keys } = useDeveloperWords()
  return (
    <ButtonLink
      from="/accounts/$account/developers/keys"
      to="/accounts/$account/developers/keys/create"
      params={{ account }}
      search={(now) => now}
      leftSection={<IconPlus size={16} />}
    >
      {keys.create}
    </ButtonLink>
  )
}

export const keysRoute = createLazyRoute('/accounts/$account/developers/keys')({
  component: KeysPage,
})
