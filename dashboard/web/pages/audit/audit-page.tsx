import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { auditQuery } from '../../api/audit.ts'
import { IconHistory } from '../../icons/icons.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { ButtonLink } from '../../parts/links/links.tsx'
import { DataTable, TableSkeleton } from '../../parts/lists/data-table.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { EntryRow } from './entry-row.tsx'
import { useAuditWords } from './words.ts'

const route = getRouteApi('/accounts/$account/audit')

/** Every change of the account: who, what and when, with the values before and after. */
function AuditPage() {
  const words = useAuditWords()
  const { account } = route.useParams()
  const search = route.useSearch()
  const { data, error, refetch } = useQuery(auditQuery(account, search))
  const { columns } = words
  return (
    <>
      <PageHeader title={words.title} />
      <AuditFilters />
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <TableSkeleton rows={8} />}
      {data?.data.length === 0 && <NoEntries account={account} />}
      {data !== undefined && data.data.length > 0 && (
        <DataTable
          label={words.title}
          columns={[columns.when, columns.who, columns.what, columns.changes]}
        >
          {data.data.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </DataTable>
      )}
      {data && <Pager page={data} cursors={search} />}
    </>
  )
}

function NoEntries({ account }: { account: string }) {
  const words = useAuditWords()
  return (
    <EmptyState icon={IconHistory} title={words.none} text={words.noneText}>
      <ButtonLink variant="default" to="/accounts/$account/audit" params={{ account }}>
        {words.clear}
      </ButtonLink>
    </EmptyState>
  )
}

export const auditRoute = createLazyRoute('/accounts/$account/audit')({ component: AuditPage })
