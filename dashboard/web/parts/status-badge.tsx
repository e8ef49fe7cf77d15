import type { VideoStatus } from '../../../domain/videos/video-state.ts'
import { useWords } from '../words/words.tsx'
import classes from './parts.module.css'

/** The status of a video as a word, with a dot in its colour. */
export function StatusBadge({ status }: { status: VideoStatus }) {
  const words = useWords()
  return (
    <span className={classes.status} data-status={status}>
      {words.status[status]}
    </span>
  )
}
