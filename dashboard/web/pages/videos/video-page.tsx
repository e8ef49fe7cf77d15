import { useQuery } from '@tanstack/react-query'
import {
  createLazyRoute,
  getRouteApi,
  Outlet,
  useMatchRoute,
  useNavigate,
} from '@tanstack/react-router'
import { useCallback } from 'react'
import { videoWorkflowId } from '../../../../domain/workflow-ids.ts'
import { meQuery, useMayEdit } from '../../api/me.ts'
import { settingsQuery } from '../../api/settings.ts'
import { videosMatch } from '../../api/video-search/filter.ts'
import { foldersQuery, videoNeighboursQuery, videoQuery, type Video } from '../../api/videos.ts'
import { useWords } from '../../locales/words.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { TextLink } from '../../parts/links/links.tsx'
import { WorkflowLink } from '../../parts/links/workflow-link.tsx'
import { Neighbours } from '../../parts/lists/neighbours.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import parts from '../../parts/parts.module.css'
import { StatusBadge } from '../../parts/text/status-badge.tsx'
import { useTimeZone } from '../../shell/time-zone.tsx'
import { PlaybackProvider } from './video/playback.tsx'
import { Player } from './video/player.tsx'
import { VideoMenu } from './video/video-menu.tsx'
import classes from './video/video-page.module.css'
import { VideoSkeleton } from './video/video-skeleton.tsx'
import { VIDEO_TABS, VideoTabs } from './video/video-tabs.tsx'
import { useVideosWords } from './words.ts'

const route = getRouteApi('/accounts/$account/videos/$video')

/** The page of a video is below the list, but is not the list. */
const EXACT = { exact: true }

/** The tabs that show the player. It stays, and plays on, from one of them to another. */
const WITH_PLAYER = [
  '/accounts/$account/videos/$video',
  '/accounts/$account/videos/$video/chapters',
  '/accounts/$account/videos/$video/moments',
  '/accounts/$account/videos/$video/audience',
] as const

/** One video; its tabs are its children. */
function VideoPage() {
  const { videos } = useWords()
  // Asked for here, so that no part of the page suspends once something is shown.
  useVideosWords()
  const { account, video: id } = route.useParams()
  const { data: video, error, refetch } = useQuery(videoQuery(account, id))
  // What the member may do and the settings decide what the page has: without them, parts of it would move.
  const { isPending: isMePending } = useQuery(meQuery(account))
  const { isPending: areSettingsPending } = useQuery(settingsQuery(account))
  // The name of a folder may take several lines.
  const { isPending: areFoldersPending } = useQuery(foldersQuery(account))
  const isFolderKnown = video?.folder_id === null || !areFoldersPending
  const isKnown = video !== undefined && !isMePending && !areSettingsPending && isFolderKnown
  return (
    <>
      <div className={parts.above}>
        <TextLink
          to="/accounts/$account/videos"
          params={{ account }}
          search={videosMatch}
          activeOptions={EXACT}
        >
          {videos.title}
        </TextLink>
        <VideoNeighbours account={account} id={id} />
      </div>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {isKnown && <VideoDetails key={id} account={account} video={video} />}
      {!isKnown && !error && <VideoSkeleton />}
    </>
  )
}

/** The videos beside this one in the list that led here. The same section of them opens. */
function VideoNeighbours({ account, id }: { account: string; id: string }) {
  const match = videosMatch(route.useSearch())
  const { zone } = useTimeZone()
  const { data: ids, error } = useQuery(videoNeighboursQuery(account, id, match, zone))
  const navigate = useNavigate()
  const matchRoute = useMatchRoute()
  const open = useCallback(
    (video: string) => {
      const tab = VIDEO_TABS.find(({ to }) => matchRoute({ to }) !== false) ?? VIDEO_TABS[0]
      void navigate({ to: tab.to, params: { account, video }, search: videosMatch })
    },
    [account, navigate, matchRoute],
  )
  if (error && !ids) return null
  return <Neighbours ids={ids} onOpen={open} />
}

function VideoDetails({ account, video }: { account: string; video: Video }) {
  const words = useWords()
  const mayEdit = useMayEdit(account)
  const matchRoute = useMatchRoute()
  const hasPlayer = WITH_PLAYER.some((to) => matchRoute({ to }) !== false)
  const hasFacts = matchRoute({ to: WITH_PLAYER[0] }) !== false
  return (
    <PlaybackProvider>
      <PageHeader
        title={video.title.trim() || words.videos.untitled}
        actions={
          <>
            <WorkflowLink account={account} id={videoWorkflowId(video.id)} />
            {mayEdit && <VideoMenu account={account} video={video} />}
          </>
        }
      >
        {!hasFacts && <StatusBadge status={video.status} />}
      </PageHeader>
      <VideoTabs account={account} video={video} />
      <div className={hasPlayer ? classes.page : undefined}>
        {hasPlayer && video.error === null && (
          <div className={classes.stage}>
            <Player account={account} video={video} />
          </div>
        )}
        <Outlet />
      </div>
    </PlaybackProvider>
  )
}

export const videoRoute = createLazyRoute('/accounts/$account/videos/$video')({
  component: VideoPage,
})
