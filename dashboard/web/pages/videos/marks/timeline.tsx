import { useRef, type PointerEvent } from 'react'
import { isolateIn } from '../../../../../domain/isolate-text.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useFormats } from '../../../parts/text/formats.ts'
import { usePlayerSecond } from '../video/playback.tsx'
import { useVideosWords } from '../words.ts'
import { rangeOf, type Edge, type Mark } from './marks.ts'
import classes from './timeline.module.css'

interface Props {
  label: string
  marks: readonly Mark[]
  /** The last second that a mark can have. */
  last: number
  isReadOnly: boolean
  onMove: (mark: Mark, edge: Edge, seconds: number) => void
}

/**
 * The video from left to right, in every language as in the player: its marks, and where the player is. Handles are
 * dragged or moved with the arrow keys.
 */
export function Timeline({ label, marks, last, isReadOnly, onMove }: Props) {
  const { duration } = useFormats()
  const { second, seek } = usePlayerSecond()
  const track = useRef<HTMLDivElement>(null)
  const share = (seconds: number): string => `${(100 * Math.min(seconds, last)) / last}%`
  const secondsAt = ({ clientX }: PointerEvent): number => {
    const { left = 0, width = 1 } = track.current?.getBoundingClientRect() ?? {}
    return Math.min(last, Math.max(0, ((clientX - left) / width) * last))
  }
  return (
    <fieldset className={classes.timeline} aria-label={label} dir="ltr">
      <div className={classes.track} ref={track} onPointerDown={(event) => seek(secondsAt(event))}>
        {marks.map((mark) =>
          mark.end === null ? null : (
            <div
              key={mark.key}
              className={classes.chapter}
              style={{ left: share(mark.start), width: share(mark.end - mark.start) }}
              title={mark.text}
            >
              <bdi>{mark.text}</bdi>
            </div>
          ),
        )}
        {second !== null && (
          <div className={classes.cursor} style={{ left: share(second) }} aria-hidden />
        )}
        {!isReadOnly &&
          edgesOf(marks).map(({ mark, edge }) => (
            <Handle
              key={mark.key + edge}
              mark={mark}
              edge={edge}
              range={rangeOf(marks, mark, edge, last)}
              left={share(edge === 'end' ? (mark.end ?? last) : mark.start)}
              secondsAt={secondsAt}
              onMove={(seconds) => onMove(mark, edge, seconds)}
            />
          ))}
        {isReadOnly &&
          marks.map((mark) =>
            mark.end === null ? (
              <div key={mark.key} className={classes.pin} style={{ left: share(mark.start) }} />
            ) : null,
          )}
      </div>
      <div className={classes.scale} aria-hidden>
        <span>{duration(0)}</span>
        <span>{duration(last / 2)}</span>
        <span>{duration(last)}</span>
      </div>
    </fieldset>
  )
}

/** One handle for each boundary: where two chapters touch, that of the second one. */
function edgesOf(marks: readonly Mark[]): { mark: Mark; edge: Edge }[] {
  const starts = new Set(marks.map(({ start }) => start))
  return marks.flatMap((mark) => {
    const start = { mark, edge: 'start' } as const
    const hasEnd = mark.end !== null && !starts.has(mark.end)
    return hasEnd ? [start, { mark, edge: 'end' } as const] : [start]
  })
}

interface HandleProps {
  mark: Mark
  edge: Edge
  range: { min: number; max: number }
  left: string
  secondsAt: (event: PointerEvent) => number
  onMove: (seconds: number) => void
}

function Handle({ mark, edge, range, left, secondsAt, onMove }: HandleProps) {
  const { marks: words } = useVideosWords()
  const { duration } = useFormats()
  const value = edge === 'end' ? (mark.end ?? 0) : mark.start
  const title = mark.text.trim() || words.untitled
  const name = mark.end === null ? '{title}' : edge === 'end' ? words.endOf : words.startOf
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(secondsAt(event))
  }
  return (
    <div
      className={mark.end === null ? classes.pin : classes.handle}
      style={{ left }}
      title={`${isolateIn('', title)} · ${duration(value)}`}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
    >
      {/* For the keyboard and screen readers; the pointer drags the handle itself. */}
      <input
        type="range"
        min={range.min}
        max={range.max}
        value={value}
        aria-label={interpolate(name, { title })}
        aria-valuetext={duration(value)}
        onChange={({ currentTarget }) => onMove(Number(currentTarget.value))}
      />
    </div>
  )
}
