import type { ViewerProgress } from '../../api/viewers.ts'
import { Cell } from '../../parts/lists/data-table.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { Share } from './share.tsx'
import { useAudienceWords } from './words.ts'

/** The headings of `ProgressCells`. */
export function useProgressColumns(): string[] {
  const { viewer, viewers, metrics } = useAudienceWords()
  return [
    viewer.progress,
    viewer.position,
    viewer.completed,
    metrics.plays,
    metrics.watch,
    viewers.lastSeen,
  ]
}

/** How far a viewer is in a video, and when that was. */
export function ProgressCells({ row }: { row: ViewerProgress }) {
  const [progress, position, completed, plays, watch, seen] = useProgressColumns()
  const formats = useFormats()
  return (
    <>
      <Cell label={progress}>
        <Share value={row.progress}>
          {row.progress === null ? '–' : formats.percent(row.progress)}
        </Share>
      </Cell>
      <Cell label={position}>{row.position === null ? '–' : formats.duration(row.position)}</Cell>
      <Cell label={completed}>
        {row.completed_at === null ? '–' : <RelativeTime at={row.completed_at} />}
      </Cell>
      <Cell label={plays}>{formats.number(row.plays)}</Cell>
      <Cell label={watch}>{formats.hours(row.watch_seconds)}</Cell>
      <Cell label={seen}>
        <RelativeTime at={row.last_seen_at} />
      </Cell>
    </>
  )
}
