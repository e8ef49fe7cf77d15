import { createLink } from '@tanstack/react-router'
import { useState, type DragEvent, type ReactNode, type Ref } from 'react'
import { videosMatch, type VideosFilter } from '../../../api/video-search/filter.ts'
import { useFormats } from '../../../parts/text/formats.ts'
import { LongText } from '../../../parts/text/long-text.tsx'
import { draggedVideos } from '../list/drag-videos.ts'
import classes from './folder-nav.module.css'

interface PlainProps {
  ref?: Ref<HTMLAnchorElement>
  isChosen: boolean
  children?: ReactNode
}

const PlainLink = createLink(({ ref, isChosen, children, ...props }: PlainProps) => (
  <a
    ref={ref}
    {...props}
    className={classes.link}
    aria-current={isChosen ? 'page' : undefined}
    draggable={false}
  >
    {children}
  </a>
))

interface Props {
  account: string
  /** The folder in the address; undefined for all videos. */
  folder: VideosFilter['folder']
  isChosen: boolean
  icon: ReactNode
  name: string
  /** Undefined until it is known. */
  count: number | undefined
}

/** Leads to the videos of a folder, with the other filters as they are. */
export function FolderLink({ account, folder, isChosen, icon, name, count }: Props) {
  const { number } = useFormats()
  return (
    <PlainLink
      to="/accounts/$account/videos"
      params={{ account }}
      search={(now) => ({ ...videosMatch(now), folder })}
      activeOptions={{ exact: true }}
      isChosen={isChosen}
    >
      {icon}
      <span className={classes.name}>
        <LongText>{name}</LongText>
      </span>
      <span className={classes.count}>{count !== undefined && number(count)}</span>
    </PlainLink>
  )
}

/** The attributes of an element that takes dragged videos; null for one that takes none. */
export function useDrop(onDrop: (() => void) | null) {
  const [isOver, setOver] = useState(false)
  const isDragging = draggedVideos.use().length > 0
  if (!isDragging || !onDrop) return {}
  return {
    'data-target': true,
    'data-over': isOver,
    onDragOver(event: DragEvent) {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault()
      setOver(false)
      onDrop()
    },
  }
}
