import type { Preparation } from '../../player-data.ts'
import { fillIn } from '../locales/words.ts'

/** A response is no basis for an estimate for longer: no newer one has come. */
const STALE_MS = 15_000
/** A place that differs by more from that of the response is another one. */
const SAME_PLACE_SECONDS = 2

/** What the server has estimated, and for which place. */
export interface Estimate {
  secondsLeft: number | null
  /** Of the heartbeat, in seconds. */
  place: number
  /** By `performance.now()`. */
  atMs: number
}

/** Keeps the estimate of a response. */
export const estimateOf = (
  preparation: Preparation | null,
  place: number,
  atMs: number,
): Estimate => ({ secondsLeft: preparation?.seconds_left ?? null, place, atMs })

/**
 * Returns the seconds to show until a place plays: at least 1, because it does not yet. Null without an estimate for
 * that place.
 */
export function secondsLeft(estimate: Estimate, place: number, nowMs: number): number | null {
  const passedMs = nowMs - estimate.atMs
  if (estimate.secondsLeft === null || passedMs > STALE_MS) return null
  if (Math.abs(place - estimate.place) > SAME_PLACE_SECONDS) return null
  return Math.max(1, estimate.secondsLeft - passedMs / 1000)
}

/** From here on, minutes say enough. */
const MINUTES_FROM = 90
/** Above, five seconds are as exact as an estimate is. */
const EXACT_UP_TO = 20
const STEP = 5

/** Writes a duration of about so many seconds in a language, such as `25 seconds` or `3 minutes`. */
export function aboutTime(seconds: number, language: string): string {
  const isLong = seconds >= MINUTES_FROM
  const step = seconds > EXACT_UP_TO ? STEP : 1
  const count = isLong ? Math.round(seconds / 60) : Math.ceil(seconds / step) * step
  const unit = isLong ? 'minute' : 'second'
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

/** Returns `withTime` with the time, or `without` if there is no estimate. */
export const estimateText = (
  seconds: number | null,
  { withTime, without }: { withTime: string; without: string },
  language: string,
): string => (seconds === null ? without : fillIn(withTime, { time: aboutTime(seconds, language) }))
