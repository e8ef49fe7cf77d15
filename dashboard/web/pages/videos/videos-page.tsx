import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { useMayEdit } from '../../api/me.ts'
import { movingVideos, videosFilter, videosQuery } from '../../api/videos.ts'
import { IconFolder, IconMovie, IconPlus, IconSearchOff } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { ButtonLink } from '../../parts/links/links.tsx'
import { TableSkeleton } from '../../parts/lists/data-table.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { VideoFilters } from './list/video-filters.tsx'
import { VideosTable } from './list/videos-table.tsx'
import { useVideosWords } from './words.ts'

const route = getRouteApi('/accounts/$account/videos')

/** The videos of the account, newest first. Its child is the dialog that adds one. */
function VideosPage() {
  const words = useWords()
  // Asked for here, so that no part of the page suspends once something is shown.
  useVideosWords()
  const { account } = route.useParams()
  const search = route.useSearch()
  const { data, error, refetch } = useQuery(videosQuery(account, search))
  const moving = data ? movingVideos(data.data).length : 0
  const isFiltered = Boolean(search.q ?? search.status ?? search.folder)
  const isEmpty = data?.data.length === 0
  const mayEdit = useMayEdit(account)
  const hasNone = isEmpty && !isFiltered && !search.after && !search.before
  return (
    <>
      <PageHeader
        title={words.videos.title}
        news={moving > 0 ? interpolate(words.progress.encoding, { number: moving }) : null}
        actions={mayEdit && <Actions account={account} hasNone={hasNone} />}
      />
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {hasNone ? (
        <NoVideos account={account} />
      ) : (
        <>
          <VideoFilters counts={data?.counts} />
          {isEmpty ? <NoMatch account={account} /> : null}
          {data && !isEmpty && <VideosTable account={account} page={data} />}
          {!data && !error && <TableSkeleton height={50} />}
          {data && <Pager page={data} cursors={search} />}
        </>
      )}
      <Outlet />
    </>
  )
}

/** Readers do not see them. */
function Actions({ account, hasNone }: { account: string; hasNone: boolean }) {
  const { folders } = useVideosWords()
  return (
    <>
      <ButtonLink
        variant="default"
        to="/accounts/$account/videos/folders"
        params={{ account }}
        search={videosFilter}
        leftSection={<IconFolder size={16} />}
      >
        {folders.title}
      </ButtonLink>
      {!hasNone && <AddButton account={account} />}
    </>
  )
}

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

function NoVideos({ account }: { account: string }) {
  const { videos } = useWords()
  const mayEdit = useMayEdit(account)
  return (
    <EmptyState icon={IconMovie} title={videos.emptyTitle} text={videos.emptyText}>
      {mayEdit && <AddButton account={account} />}
    </EmptyState>
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
