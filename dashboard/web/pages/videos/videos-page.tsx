import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMayEdit } from '../../api/me.ts'
import { problemOf } from '../../api/problem.ts'
import { isFiltered, videosFilter } from '../../api/video-search/filter.ts'
import { movingVideos, videosQuery } from '../../api/videos.ts'
import { IconPlus, IconSearch, IconSearchOff } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { ButtonLink } from '../../parts/links/links.tsx'
import { TableSkeleton } from '../../parts/lists/data-table.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { useTimeZone } from '../../shell/time-zone.tsx'
import { PageDrop } from './add/page-drop.tsx'
import { GridSkeleton } from './grid/video-grid.tsx'
import { NoVideos } from './list/no-videos.tsx'
import { VideoFilters } from './list/video-filters.tsx'
import { VideoList } from './list/video-list.tsx'
import { useVideosView } from './list/videos-view.ts'
import classes from './videos-page.module.css'
import { useVideosWords } from './words.ts'

/** Asked for at once. The videos are shown without it, beside its column. */
const folderNav = import('./folders/folder-nav.tsx')
const FolderNav = lazy(async () => ({ default: (await folderNav).FolderNav }))

const route = getRouteApi('/accounts/$account/videos')

/** The videos of the account, newest first. Its children are the dialogs that add one and change folders. */
function VideosPage() {
  const words = useWords()
  // Asked for here, so that no part of the page suspends once something is shown.
  useVideosWords()
  const { account } = route.useParams()
  const search = route.useSearch()
  const { zone } = useTimeZone()
  const { data, error, refetch } = useQuery(videosQuery(account, search, zone))
  const moving = data ? movingVideos(data.data).length : 0
  const isEmpty = data?.data.length === 0
  const mayEdit = useMayEdit(account)
  const hasNone = isEmpty && !isFiltered(search)
  return (
    <>
      <PageHeader
        title={words.videos.title}
        news={moving > 0 ? interpolate(words.progress.encoding, { number: moving }) : null}
        actions={
          !hasNone && (
            <>
              <CaptionsLink account={account} q={search.q} />
              {mayEdit && <AddButton account={account} />}
            </>
          )
        }
      />
      {hasNone ? (
        <NoVideos>{mayEdit && <AddButton account={account} />}</NoVideos>
      ) : (
        <div className={classes.page}>
          <div>
            <Suspense>
              <FolderNav account={account} />
            </Suspense>
          </div>
          <div className={classes.videos}>
            <VideoFilters counts={data?.counts} />
            {error && <Refused error={error} retry={() => void refetch()} />}
            {isEmpty && <NoMatch account={account} />}
            {data && !isEmpty && <VideoList account={account} page={data} />}
            {!data && !error && <Loading />}
          </div>
        </div>
      )}
      {mayEdit && <PageDrop account={account} />}
      <Outlet />
    </>
  )
}

/** Another attempt at a search that is too broad would not help. */
function Refused({ error, retry }: { error: unknown; retry: () => void }) {
  const { filters } = useVideosWords()
  if (problemOf(error).code !== 'query_too_broad') return <ErrorState error={error} retry={retry} />
  return <EmptyState icon={IconSearchOff} title={filters.broadTitle} text={filters.broadText} />
}

const Loading = () =>
  useVideosView() === 'list' ? <TableSkeleton height={50} /> : <GridSkeleton />

/** Readers do not see it. */
function AddButton({ account }: { account: string }) {
  const words = useWords()
  return (
    <ButtonLink
      from="/accounts/$account/videos"
      to="/accounts/$account/videos/add"
      params={{ account }}
      search={videosFilter}
      leftSection={<IconPlus size={16} />}
    >
      {words.videos.add}
    </ButtonLink>
  )
}

/** Seeks the same in what is said. */
function CaptionsLink({ account, q }: { account: string; q: string | undefined }) {
  const { videos } = useWords()
  return (
    <ButtonLink
      variant="default"
      to="/accounts/$account/videos/search"
      params={{ account }}
      search={{ q }}
      leftSection={<IconSearch size={16} />}
    >
      {videos.searchCaptions}
    </ButtonLink>
  )
}

function NoMatch({ account }: { account: string }) {
  const { videos } = useWords()
  return (
    <EmptyState icon={IconSearchOff} title={videos.noneTitle} text={videos.noneText}>
      <ButtonLink variant="default" to="/accounts/$account/videos" params={{ account }}>
        {videos.clear}
      </ButtonLink>
    </EmptyState>
  )
}

export const videosRoute = createLazyRoute('/accounts/$account/videos')({ component: VideosPage })
