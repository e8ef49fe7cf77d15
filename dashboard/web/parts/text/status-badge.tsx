import { isFinal, type VideoStatus } from '../../../../domain/videos/video-state.ts'
import { useWords } from '../../locales/words.tsx'
import { Dot } from './dot.tsx'

const TONES = {
  queued: 'none',
  processing: 'waiting',
  playable: 'early',
  ready: 'good',
  failed: 'bad',
} as const

/** The status of a video as a word, with a dot in its colour. */
export function StatusBadge({ status }: { status: VideoStatus }) {
  const words = useWords()
  return (
    <Dot tone={TONES[status]} isMoving={status !== 'queued' && !isFinal(status)}>
      {words.status[status]}
    </Dot>
  )
}
