import type { DragEvent } from 'react'
import type { Video } from '../../../api/videos.ts'
import { createStore } from '../../../store.ts'
import classes from './drag-videos.module.css'

const NONE: readonly Video[] = []

/** The videos that are being dragged, for the folders that take them. */
export const draggedVideos = createStore<readonly Video[]>(NONE)

/** Begins to drag videos; `label` is what the pointer shows of them. */
export function dragVideos(event: DragEvent, videos: readonly Video[], label: string): void {
  const { dataTransfer } = event
  dataTransfer.effectAllowed = 'move'
  // Without data of its own, Firefox drags nothing.
  dataTransfer.setData('text/plain', label)
  const picture = document.createElement('div')
  picture.className = classes.dragged ?? ''
  picture.textContent = label
  document.body.append(picture)
  dataTransfer.setDragImage(picture, 0, 0)
  // The browser has drawn it by then.
  setTimeout(() => picture.remove())
  draggedVideos.set(videos)
}

export const endDrag = (): void => draggedVideos.set(NONE)
