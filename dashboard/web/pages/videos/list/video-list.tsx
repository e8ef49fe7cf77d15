import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useMayEdit } from '../../../api/me.ts'
import { useProgress } from '../../../api/progress.ts'
import type { Video, VideosPage } from '../../../api/videos.ts'
import { IconFolder } from '../../../icons/icons.tsx'
import { Pager } from '../../../parts/lists/pager.tsx'
import { notify } from '../../../parts/notify.ts'
import { usePageActions } from '../../../parts/page-actions.ts'
import { VideoGrid } from '../grid/video-grid.tsx'
import { useVideosWords } from '../words.ts'
import { useListKeys, videoIdAt } from './list-keys.ts'
import { useSelection, type Selection } from './selection.ts'
import classes from './video-list.module.css'
import { VideosTable } from './videos-table.tsx'
import { useVideosView } from './videos-view.ts'

/** With its dialogs, which the first view does not need. */
const SelectionBar = lazy(async () => ({
  default: (await import('./selection-bar.tsx')).SelectionBar,
}))
const MoveVideos = lazy(async () => ({ default: (await import('./move-videos.tsx')).MoveVideos }))

const route = getRouteApi('/accounts/$account/videos')

interface Props {
  account: string
  page: VideosPage
}

/** A page of videos, as a grid or as a table. Members who may change videos choose some of them here. */
export function VideoList({ account, page }: Props) {
  const search = route.useSearch()
  const videos = page.data
  const progress = useProgress(account, videos)
  const chosen = useSelection(search, videos)
  const selection = useMayEdit(account) ? chosen : null
  const onKeyDown = useListKeys(selection)
  const [moved, setMoved] = useMoveAction(videos, selection)
  const View = useVideosView() === 'list' ? VideosTable : VideoGrid
  const isOne = (video: Video): boolean => chosen.ids.has(video.id)
  return (
    <div className={classes.list}>
      {/* Its links and boxes have the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div onKeyDown={onKeyDown}>
        <View
          account={account}
          videos={videos}
          selection={selection}
          draggedWith={(video) => (isOne(video) ? videos.filter(isOne) : [video])}
          progress={progress}
        />
      </div>
      <Pager page={page} cursors={search} />
      {selection && selection.ids.size > 0 && (
        <Suspense>
          <SelectionBar account={account} page={page} selection={selection} onMove={setMoved} />
        </Suspense>
      )}
      {selection && moved.length > 0 && (
        <Suspense>
          <MoveVideos
            account={account}
            videos={moved}
            onClose={() => setMoved([])}
            onDone={() => {
              setMoved([])
              selection.clear()
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

const NONE: Video[] = []

/**
 * Holds the videos that a dialog moves. The key M opens it for the chosen videos, or for the one that has the focus.
 */
function useMoveAction(videos: readonly Video[], selection: Selection | null) {
  const { list } = useVideosWords()
  const [moved, setMoved] = useState<Video[]>(NONE)
  const latest = useRef({ videos, selection })
  useEffect(() => {
    latest.current = { videos, selection }
  })
  const mayMove = selection !== null
  const actions = useMemo(() => {
    const run = (): void => {
      const { videos: shown, selection: chosen } = latest.current
      const focused = videoIdAt(document.activeElement)
      const isMeant = ({ id }: Video): boolean =>
        chosen !== null && chosen.ids.size > 0 ? chosen.ids.has(id) : id === focused
      const meant = shown.filter(isMeant)
      if (meant.length > 0) setMoved(meant)
      else notify(list.selectFirst)
    }
    const icon = <IconFolder size={18} stroke={1.75} />
    return mayMove ? [{ id: 'move', label: list.moveTo, icon, key: 'm', run }] : []
  }, [mayMove, list])
  usePageActions(actions)
  return [moved, setMoved] as const
}
