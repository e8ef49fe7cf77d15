import type { DragEvent } from 'react'
import type { Video, VideoProgress } from '../../../api/videos.ts'
import { useFormats } from '../../../parts/text/formats.ts'
import { useVideosWords } from '../words.ts'
import { dragVideos, endDrag } from './drag-videos.ts'
import type { Selection } from './selection.ts'

export interface ItemProps {
  account: string
  video: Video
  /** Null for members who may not change videos. */
  selection: Selection | null
  /** The videos that move with this one: the chosen ones if it is one of them. */
  dragged: readonly Video[]
  progress: VideoProgress | undefined
}

/** The attributes of the element of a video in a list, which can be dragged to a folder. */
export function useItem({ video, selection, dragged }: ItemProps) {
  const { list } = useVideosWords()
  const { counted } = useFormats()
  return {
    'data-item': video.id,
    'data-selected': selection?.ids.has(video.id) ?? false,
    draggable: selection !== null,
    onDragStart: (event: DragEvent) =>
      dragVideos(event, dragged, counted(list.videos, dragged.length)),
    onDragEnd: endDrag,
  }
}
