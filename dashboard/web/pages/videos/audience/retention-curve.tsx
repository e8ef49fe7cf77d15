import { useState, type PointerEvent } from 'react'
import type { Retention } from '../../../api/audience.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { ChartTable } from '../../../parts/charts/chart.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { useAudienceWords } from '../../audience/words.ts'
import type { Mark } from '../marks/marks.ts'
import { usePlayback, usePlayerSecond } from '../video/playback.tsx'
import { areaOf, lineOf } from './retention-lines.ts'
import classes from './retention.module.css'

interface Props {
  curve: Retention
  /** Of the video, in seconds. */
  duration: number
  chapters: readonly Mark[]
}

/** The last part of the video. */
const LAST = 99

/**
 * The curve over the video, from left to right as in the player. A click plays from there; the slider for the keyboard
 * and for screen readers moves a line over the curve, and Enter plays from it.
 */
export function RetentionCurve({ curve, duration, chapters }: Props) {
  const { retention: words } = useAudienceWords()
  const { playFrom } = usePlayback()
  const { second } = usePlayerSecond()
  const [pointed, setPointed] = useState<number | null>(null)
  const played = second === null ? null : Math.min(LAST, Math.floor((second / duration) * 100))
  const part = pointed ?? played
  const go = (at: number): void => playFrom((at * duration) / 100)
  return (
    <figure className={classes.figure} aria-label={words.title}>
      <Legend curve={curve} duration={duration} part={part} />
      <div
        className={classes.plot}
        dir="ltr"
        onPointerMove={(event) => setPointed(partAt(event))}
        onPointerLeave={() => setPointed(null)}
        onPointerUp={(event) => go(partAt(event))}
      >
        <Lines curve={curve} />
        <Levels />
        {chapters.map(({ key, start }) => (
          <div key={key} className={classes.border} style={{ left: percent(start / duration) }} />
        ))}
        {pointed !== null && (
          <div className={classes.line} style={{ left: percent((pointed + 0.5) / 100) }} />
        )}
        {second !== null && (
          <div className={classes.cursor} style={{ left: percent(second / duration) }} />
        )}
        <Slider
          curve={curve}
          duration={duration}
          part={part ?? 0}
          onPoint={setPointed}
          onChoose={go}
        />
      </div>
      {chapters.length > 0 && <Chapters chapters={chapters} duration={duration} />}
      <Scale duration={duration} />
      <Table curve={curve} duration={duration} />
    </figure>
  )
}

const percent = (share: number): string => `${100 * Math.min(1, share)}%`

function partAt({ clientX, currentTarget }: Pick<PointerEvent, 'clientX' | 'currentTarget'>) {
  const { left, width } = currentTarget.getBoundingClientRect()
  const at = Math.floor(((clientX - left) / Math.max(1, width)) * 100)
  return Math.min(LAST, Math.max(0, at))
}

/** Both curves, one above the other. They are scaled to the place, and their lines are not. */
const Lines = ({ curve: { parts, replays } }: { curve: Retention }) => (
  <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
    <path className={classes.grid} d="M0 25H100M0 50H100M0 75H100" />
    <path className={classes.area} d={areaOf(parts)} />
    <path className={classes.shown} d={lineOf(parts)} />
    <path className={classes.again} d={lineOf(replays)} />
  </svg>
)

const LEVELS = [1, 0.5]

/** How high two places of the curve are. */
function Levels() {
  const { percent: text } = useFormats()
  return LEVELS.map((level) => (
    <span key={level} className={classes.level} style={{ bottom: percent(level) }} aria-hidden>
      {text(level)}
    </span>
  ))
}

interface AtProps {
  curve: Retention
  duration: number
}

/** What the curves are; at a place, also how high. */
function Legend({ curve, duration, part }: AtProps & { part: number | null }) {
  const { retention: words } = useAudienceWords()
  const formats = useFormats()
  const value = (values: readonly number[]) =>
    part !== null && <strong>{formats.share(values[part] ?? 0)}</strong>
  return (
    <figcaption className={classes.legend}>
      <span className={classes.key}>
        {words.curve} {value(curve.parts)}
      </span>
      <span className={classes.key} data-again>
        {words.replays} {value(curve.replays)}
      </span>
      <span className={classes.when}>
        {part !== null && formats.duration((part * duration) / 100)}
      </span>
    </figcaption>
  )
}

interface SliderProps extends AtProps {
  part: number
  onPoint: (part: number | null) => void
  onChoose: (part: number) => void
}

function Slider({ curve, duration, part, onPoint, onChoose }: SliderProps) {
  const { retention: words } = useAudienceWords()
  const formats = useFormats()
  const text = interpolate(words.value, {
    time: formats.duration((part * duration) / 100),
    share: formats.share(curve.parts[part] ?? 0),
    again: formats.share(curve.replays[part] ?? 0),
  })
  return (
    <input
      type="range"
      className={classes.slider}
      min={0}
      max={LAST}
      value={part}
      aria-label={words.place}
      aria-valuetext={text}
      onChange={({ currentTarget }) => onPoint(Number(currentTarget.value))}
      onFocus={() => onPoint(part)}
      onBlur={() => onPoint(null)}
      onKeyDown={({ key }) => key === 'Enter' && onChoose(part)}
    />
  )
}

/** The chapters below the curve; a click plays from the beginning of one. */
function Chapters({ chapters, duration }: { chapters: readonly Mark[]; duration: number }) {
  const { playFrom } = usePlayback()
  return (
    <div className={classes.chapters} dir="ltr">
      {chapters.map(({ key, start, end, text }) => (
        <button
          key={key}
          type="button"
          className={classes.chapter}
          style={{
            left: percent(start / duration),
            width: percent(((end ?? duration) - start) / duration),
          }}
          title={text}
          onClick={() => playFrom(start)}
        >
          <bdi>{text}</bdi>
        </button>
      ))}
    </div>
  )
}

function Scale({ duration: seconds }: { duration: number }) {
  const { duration } = useFormats()
  return (
    <div className={classes.scale} dir="ltr" aria-hidden>
      <span>{duration(0)}</span>
      <span>{duration(seconds / 2)}</span>
      <span>{duration(seconds)}</span>
    </div>
  )
}

function Table({ curve, duration: seconds }: AtProps) {
  const words = useAudienceWords()
  const { duration, share } = useFormats()
  const { title, place, curve: shown, replays } = words.retention
  return (
    <ChartTable
      title={title}
      startsMs={curve.parts.map((_, part) => part * seconds * 10)}
      series={[
        { name: shown, values: curve.parts },
        { name: replays, values: curve.replays },
      ]}
      texts={{ time: place, asTable: words.asTable }}
      timeText={(timeMs) => duration(timeMs / 1000)}
      valueText={share}
    />
  )
}
