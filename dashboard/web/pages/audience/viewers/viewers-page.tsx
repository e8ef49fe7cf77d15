import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { settingsQuery } from '../../../api/settings.ts'
import { countedViewersCsv, countedViewersQuery, type Viewer } from '../../../api/viewers.ts'
import { IconSearchOff, IconUsers } from '../../../icons/icons.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { SearchField } from '../../../parts/forms/search-field.tsx'
import layout from '../../../parts/layout.module.css'
import { ButtonLink } from '../../../parts/links/links.tsx'
import { Cell, DataTable, TableSkeleton } from '../../../parts/lists/data-table.tsx'
import { Pager } from '../../../parts/lists/pager.tsx'
import { PageHeader } from '../../../parts/page-header.tsx'
import { Dot } from '../../../parts/text/dot.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import classes from '../audience.module.css'
import { ExportRows } from '../export-rows.tsx'
import { ViewerLink } from '../viewer-link.tsx'
import { useAudienceWords } from '../words.ts'

const route = getRouteApi('/accounts/$account/audience/viewers')

/** The viewers with an id, by whose beginning they are searched. */
function ViewersPage() {
  const { viewers } = useAudienceWords()
  const { account } = route.useParams()
  const search = route.useSearch()
  const { data, error, refetch } = useQuery(countedViewersQuery(account, search))
  const isEmpty = data?.data.length === 0
  const isNew = isEmpty && search.q === undefined && search.after === undefined
  return (
    <>
      <PageHeader
        title={viewers.title}
        actions={
          data &&
          !isEmpty && (
            <ExportRows name="viewers" read={() => countedViewersCsv(account, search.q)} />
          )
        }
      />
      <p className={layout.intro}>{viewers.intro}</p>
      {!isNew && <Search q={search.q ?? ''} />}
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {isEmpty && (isNew ? <NoViewers account={account} /> : <NoMatch account={account} />)}
      {data && !isEmpty && <ViewersTable account={account} viewers={data.data} />}
      {data && <Pager page={data} cursors={search} />}
      {!data && !error && <TableSkeleton />}
    </>
  )
}

function Search({ q }: { q: string }) {
  const { viewers } = useAudienceWords()
  const navigate = route.useNavigate()
  const search = useCallback(
    (text: string | undefined): void => void navigate({ search: { q: text }, replace: true }),
    [navigate],
  )
  return (
    <SearchField className={classes.search} label={viewers.search} value={q} onSearch={search} />
  )
}

function NoViewers({ account }: { account: string }) {
  const { viewers } = useAudienceWords()
  const { data, isPending } = useQuery(settingsQuery(account))
  if (isPending) return <TableSkeleton />
  const isTotalsOnly = data?.settings.viewer_data.totals_only === true
  return (
    <EmptyState
      icon={IconUsers}
      sample="people"
      title={isTotalsOnly ? viewers.totalsTitle : viewers.emptyTitle}
      text={isTotalsOnly ? viewers.totalsText : viewers.emptyText}
    >
      <ButtonLink
        to={isTotalsOnly ? '/accounts/$account/settings/viewers' : '/accounts/$account/developers'}
        params={{ account }}
        variant="default"
      >
        {isTotalsOnly ? viewers.totalsLink : viewers.emptyLink}
      </ButtonLink>
    </EmptyState>
  )
}

function NoMatch({ account }: { account: string }) {
  const { viewers } = useAudienceWords()
  return (
    <EmptyState icon={IconSearchOff} title={viewers.noneTitle} text={viewers.noneText}>
      <ButtonLink to="/accounts/$account/audience/viewers" params={{ account }} variant="default">
        {viewers.clear}
      </ButtonLink>
    </EmptyState>
  )
}

function ViewersTable({ account, viewers }: { account: string; viewers: Viewer[] }) {
  const { viewers: texts, metrics } = useAudienceWords()
  const { number, hours } = useFormats()
  return (
    <DataTable
      label={texts.title}
      name="counted-viewers"
      columns={[texts.viewer, metrics.plays, metrics.watch, texts.firstSeen, texts.lastSeen]}
    >
      {viewers.map((viewer) => (
        <tr key={viewer.id}>
          <Cell isWide>
            <div className={classes.who}>
              <ViewerLink account={account} viewer={viewer.viewer_id} />
              {viewer.is_revoked && <Dot tone="bad">{texts.revoked}</Dot>}
            </div>
          </Cell>
          <Cell label={metrics.plays}>{number(viewer.plays)}</Cell>
          <Cell label={metrics.watch}>{hours(viewer.watch_seconds)}</Cell>
          <Cell label={texts.firstSeen}>
            <RelativeTime at={viewer.first_seen_at} />
          </Cell>
          <Cell label={texts.lastSeen}>
            <RelativeTime at={viewer.last_seen_at} />
          </Cell>
        </tr>
      ))}
    </DataTable>
  )
}

export const viewersRoute = createLazyRoute('/accounts/$account/audience/viewers')({
  component: ViewersPage,
})
