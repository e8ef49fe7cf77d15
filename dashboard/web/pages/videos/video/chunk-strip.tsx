import type { VideoStep } from '../../../api/videos.ts'
import classes from './video-steps.module.css'

/** More cells than this are too narrow to be told apart: neighbours that are equally far are then drawn as one. */
const CELLS_MAX = 120
/** Between two cells, as a share of one. */
const GAP = 0.12

interface Props {
  chunks: VideoStep['chunks']
  /** The same as text. */
  label: string
}

/** The chunks of a rendition from the beginning of the video to its end, in every language from left to right as a timeline. */
export function ChunkStrip({ chunks, label }: Props) {
  const count = countOf(chunks)
  const isFine = count <= CELLS_MAX
  return (
    <svg
      className={classes.strip}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${count} 1`}
      preserveAspectRatio="none"
    >
      {cellsOf(chunks, isFine).map(({ stage, start, length }) => (
        <rect
          key={start}
          data-stage={stage}
          x={start}
          width={isFine ? length - GAP : length}
          height={1}
        />
      ))}
    </svg>
  )
}

/** Returns what is drawn and where: single chunks, or whole runs of them. */
function cellsOf(chunks: VideoStep['chunks'], isFine: boolean) {
  let end = 0
  return chunks.flatMap(({ stage, count }) => {
    const start = end
    end += count
    if (!isFine) return [{ stage, start, length: count }]
    return Array.from({ length: count }, (_, index) => ({ stage, start: start + index, length: 1 }))
  })
}

/** Returns how many chunks there are, or how many of them are as far as `stage`. */
export const countOf = (
  chunks: VideoStep['chunks'],
  stage?: VideoStep['chunks'][number]['stage'],
): number =>
  chunks.reduce((sum, run) => sum + (stage === undefined || run.stage === stage ? run.count : 0), 0)
