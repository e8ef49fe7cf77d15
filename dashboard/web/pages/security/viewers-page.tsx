import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { apiOf, unwrap } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { viewersQuery } from '../../api/security.ts'
import { IconUserOff } from '../../icons/icons.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { ButtonLink, TextLink } from '../../parts/links/links.tsx'
import { Cell, DataTable, TableSkeleton } from '../../parts/lists/data-table.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { notify } from '../../parts/notify.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { LongText } from '../../parts/text/long-text.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { useSecurityWords } from './words.ts'

const route = getRouteApi('/accounts/$account/security/viewers')

interface Viewer {
  viewer_id: string
  revoked_at: string
}

/** The viewers whose tokens are refused. Its child is the dialog that revokes one. */
function ViewersPage() {
  const { viewers } = useSecurityWords()
  const { account } = route.useParams()
  const cursors = route.useSearch()
  const { data, error, refetch } = useQuery(viewersQuery(account, cursors))
  const isEmpty = data?.data.length === 0
  return (
    <>
      <PageHeader
        title={viewers.title}
        actions={data && !isEmpty && <RevokeButton account={account} />}
      />
      <p className={layout.intro}>{viewers.intro}</p>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {isEmpty && (
        <EmptyState
          icon={IconUserOff}
          sample="people"
          title={viewers.emptyTitle}
          text={viewers.emptyText}
        >
          <RevokeButton account={account} />
        </EmptyState>
      )}
      {data && !isEmpty && <ViewersTable account={account} viewers={data.data} />}
      {data && (
        <Pager
          page={{ ...data, data: data.data.map(({ viewer_id: id }) => ({ id })) }}
          cursors={cursors}
        />
      )}
      {!data && !error && <TableSkeleton />}
      <Outlet />
    </>
  )
}

/** Readers do not see it. */
function RevokeButton({ account }: { account: string }) {
  const { viewers } = useSecurityWords()
  if (!useMay(account, 'viewers:write')) return null
  return (
    <ButtonLink to="/accounts/$account/security/viewers/revoke" params={{ account }}>
      {viewers.revoke}
    </ButtonLink>
  )
}

function ViewersTable({ account, viewers }: { account: string; viewers: Viewer[] }) {
  const { columns, viewers: texts } = useSecurityWords()
  return (
    <DataTable label={texts.title} columns={[columns.viewer, columns.revoked]} hasActions>
      {viewers.map((viewer) => (
        <ViewerRow key={viewer.viewer_id} account={account} viewer={viewer} />
      ))}
    </DataTable>
  )
}

function ViewerRow({ account, viewer }: { account: string; viewer: Viewer }) {
  const { columns, viewers } = useSecurityWords()
  const client = useQueryClient()
  const mayRestore = useMay(account, 'viewers:write')
  const { viewer_id: id, revoked_at: at } = viewer
  const restore = useMutation({
    mutationFn: () => unwrap(apiOf(account).POST('/viewers/restore', { body: { viewer_id: id } })),
    async onSuccess() {
      notify(viewers.restored)
      await client.invalidateQueries({ queryKey: ['viewers', account] })
    },
  })
  return (
    <tr>
      <Cell isWide>
        <TextLink
          to="/accounts/$account/security/events"
          params={{ account }}
          search={{ viewer: id, range: '90d' }}
          size="sm"
        >
          <LongText>{id}</LongText>
        </TextLink>
        {restore.error && <ErrorState error={restore.error} />}
      </Cell>
      <Cell label={columns.revoked}>
        <RelativeTime at={at} />
      </Cell>
      <Cell>
        {mayRestore && (
          <Button
            variant="default"
            size="compact-sm"
            loading={restore.isPending}
            onClick={() => restore.mutate()}
          >
            {viewers.restore}
          </Button>
        )}
      </Cell>
    </tr>
  )
}

export const viewersRoute = createLazyRoute('/accounts/$account/security/viewers')({
  component: ViewersPage,
})
