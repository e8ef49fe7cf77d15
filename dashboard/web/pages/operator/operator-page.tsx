import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { meQuery } from '../../api/me.ts'
import { installationQuery } from '../../api/operator.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { SearchField } from '../../parts/forms/search-field.tsx'
import layout from '../../parts/layout.module.css'
import { TableSkeleton } from '../../parts/lists/data-table.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { MissingPage } from '../../shell/failed-page.tsx'
import { Doctor } from './doctor.tsx'
import { FailedVideos } from './failed-videos.tsx'
import { InspectedVideoCard } from './inspected-video.tsx'
import classes from './operator.module.css'
import { Backlogs, TaskQueues } from './queues.tsx'
import { Disks, Endpoints, Processes, Versions } from './state-cards.tsx'
import { useOperatorWords } from './words.ts'

const route = getRouteApi('/accounts/$account/operator')

/** The page of the operators; for every other member there is no page at its address. */
function OperatorPage() {
  const { account } = route.useParams()
  const { data: me } = useQuery(meQuery(account))
  if (!me) return <TableSkeleton rows={8} />
  return me.is_operator ? <Page account={account} /> : <MissingPage />
}

function Page({ account }: { account: string }) {
  const words = useOperatorWords()
  const { video = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(installationQuery(account))
  const search = useCallback(
    (text: string | undefined) =>
      void navigate({ search: text === undefined ? {} : { video: text.trim() }, replace: true }),
    [navigate],
  )
  return (
    <>
      <PageHeader title={words.title} />
      <div className={`${layout.stack} ${classes.page}`}>
        <SearchField label={words.search} value={video} onSearch={search} />
        {video !== '' && <InspectedVideoCard key={video} account={account} id={video} />}
        {error && <ErrorState error={error} retry={() => void refetch()} />}
        {!data && !error && <TableSkeleton rows={8} />}
        {data && (
          <>
            <FailedVideos account={account} installation={data} />
            <div className={layout.cards}>
              <TaskQueues part={data.task_queues} />
              <Backlogs part={data.backlogs} />
              <Processes part={data.processes} />
              <Endpoints part={data.failing_endpoints} />
              <Disks part={data.disks} />
              <Versions part={data.versions} />
            </div>
          </>
        )}
        <Doctor account={account} />
      </div>
    </>
  )
}

export const operatorRoute = createLazyRoute('/accounts/$account/operator')({
  component: OperatorPage,
})
