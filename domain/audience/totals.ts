import { countParts, isComplete, isPlay, type SessionMeasures } from './session-measures.ts'

/** What is added up of all sessions, by hour and by day. `definitions.ts` says what the numbers made of them mean. */
export const TOTAL_NAMES = [
  'plays',
  'attempts',
  'errors',
  'watchedMs',
  'mediaMs',
  'measuredPlays',
  'watchedParts',
  'completions',
  'stalls',
  'stalledMs',
  'firstFrames',
  'firstFrameMs',
] as const

export type TotalName = (typeof TOTAL_NAMES)[number]
export type Totals = Record<TotalName, number>

/** Returns totals of nothing. */
export const noTotals = (): Totals => ({
  plays: 0,
  attempts: 0,
  errors: 0,
  watchedMs: 0,
  mediaMs: 0,
  measuredPlays: 0,
  watchedParts: 0,
  completions: 0,
  stalls: 0,
  stalledMs: 0,
  firstFrames: 0,
  firstFrameMs: 0,
})

/**
 * What one session adds. `parts` are those that it is credited with (`creditedParts`). A session that is no play adds only its
 * error, so that openings of a page change neither times nor shares.
 */
export function totalsOf(measures: SessionMeasures, parts: string | null): Totals {
  const totals = noTotals()
  const plays = isPlay(measures)
  totals.errors = measures.error === null ? 0 : 1
  totals.attempts = plays || measures.error !== null ? 1 : 0
  if (!plays) return totals
  totals.plays = 1
  totals.watchedMs = measures.watchedMs
  totals.mediaMs = measures.mediaMs
  totals.stalls = measures.stalls
  totals.stalledMs = measures.stalledMs
  if (measures.firstFrameMs !== null) {
    totals.firstFrames = 1
    totals.firstFrameMs = measures.firstFrameMs
  }
  if (parts !== null) {
    totals.measuredPlays = 1
    totals.watchedParts = countParts(parts)
    totals.completions = isComplete(parts) ? 1 : 0
  }
  return totals
}

/** Adds `more`, `sign` times, to `totals`. */
export function addTotals(totals: Totals, more: Totals, sign: 1 | -1 = 1): void {
  for (const name of TOTAL_NAMES) totals[name] += sign * more[name]
}

/** True if nothing is to be added. */
export const isNothing = (totals: Totals): boolean =>
  TOTAL_NAMES.every((name) => totals[name] === 0)
