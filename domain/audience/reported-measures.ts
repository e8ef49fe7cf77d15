import { PARTS, STRETCHES_MAX } from './session-measures.ts'
import type { Stretch } from './stretches.ts'

/** What a heartbeat says beside position and watched time. A missing or invalid value is null. */
export interface ReportedMeasures {
  mediaMs: number | null
  /** 25 hex digits: 100 bits, the first hundredth first. */
  parts: string | null
  replayedParts: string | null
  stretches: Stretch[] | null
  firstFrameMs: number | null
  stalls: number | null
  stalledMs: number | null
  /** Height in pixels. */
  quality: number | null
  /** In hundredths. */
  speed: number | null
  error: string | null
}

const DAY_SECONDS = 86_400
const POSITION_MAX_SECONDS = 7 * DAY_SECONDS
const FIRST_FRAME_MAX_SECONDS = 600
const STALLS_MAX = 10_000
const QUALITY_MAX = 8_640
const SPEED_MAX = 16
const PARTS_FORM = new RegExp(`^[0-9a-f]{${PARTS / 4}}$`)
const ERROR_FORM = /^[a-z_]{1,40}$/

/**
 * Reads the measures of the untrusted body of a heartbeat. A value that is not within its bounds becomes null. `elapsedMaxMs` is
 * the longest time that can have passed since the start of the session; `playedMaxMs` is what can have played in it. Returns
 * null if nothing is reported, as by players of an older release.
 */
export function readMeasures(
  body: ReadonlyMap<string, unknown>,
  { elapsedMaxMs, playedMaxMs }: { elapsedMaxMs: number; playedMaxMs: number },
): ReportedMeasures | null {
  const number = (name: string, max: number): number | null => within(body.get(name), max)
  const ms = (name: string, maxSeconds: number, maxMs: number): number | null => {
    const seconds = number(name, maxSeconds)
    return seconds === null ? null : Math.min(Math.round(seconds * 1000), Math.round(maxMs))
  }
  const parts = textOf(body.get('parts'), PARTS_FORM)
  const measures: ReportedMeasures = {
    mediaMs: ms('media_seconds', POSITION_MAX_SECONDS, playedMaxMs),
    parts,
    replayedParts: parts === null ? null : textOf(body.get('replayed_parts'), PARTS_FORM),
    stretches: readStretches(body.get('stretches')),
    firstFrameMs: ms('first_frame_seconds', FIRST_FRAME_MAX_SECONDS, elapsedMaxMs),
    stalls: rounded(number('stalls', STALLS_MAX)),
    stalledMs: ms('stalled_seconds', DAY_SECONDS, elapsedMaxMs),
    quality: rounded(number('quality', QUALITY_MAX)),
    speed: rounded(number('speed', SPEED_MAX), 100),
    error: textOf(body.get('error'), ERROR_FORM),
  }
  return Object.values(measures).some((value) => value !== null) ? measures : null
}

const within = (value: unknown, max: number): number | null =>
  typeof value === 'number' && value >= 0 && value <= max ? value : null

const rounded = (value: number | null, factor = 1): number | null =>
  value === null ? null : Math.round(value * factor)

const textOf = (value: unknown, form: RegExp): string | null =>
  typeof value === 'string' && form.test(value) ? value : null

/** Returns the stretches; null unless all are triples within their bounds. */
function readStretches(value: unknown): Stretch[] | null {
  if (!Array.isArray(value) || value.length > STRETCHES_MAX) return null
  const stretches = value.flatMap((stretch: unknown) => readStretch(stretch) ?? [])
  return stretches.length === value.length && stretches.length > 0 ? stretches : null
}

function readStretch(value: unknown): Stretch | null {
  if (!Array.isArray(value) || value.length !== 3) return null
  const [from, to, at] = value.map((number: unknown) =>
    rounded(within(number, POSITION_MAX_SECONDS)),
  )
  const isWhole = typeof from === 'number' && typeof to === 'number' && typeof at === 'number'
  return isWhole && from <= to ? { from, to, at } : null
}
