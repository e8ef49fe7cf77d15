import { PLAYER_CAUSES, type PlayerCause } from '../playback-reports/playback-causes.ts'
import { OTHER_VALUE } from './breakdown.ts'
import type { SessionToCount } from './fold-sessions.ts'
import type { SessionMeasures } from './session-measures.ts'
import { noTotals, totalsOf } from './totals.ts'

/** The causes that errors are counted by. What a viewer makes up is `other`. */
export const ERROR_CAUSES = [...PLAYER_CAUSES, OTHER_VALUE] as const

type ErrorCause = (typeof ERROR_CAUSES)[number]

/** What sessions add to counters that only grow. `definitions.ts` says what is made of them. */
export interface Experience {
  plays: number
  /** Plays, and sessions that failed before they were one. */
  attempts: number
  /** Sessions with an error, each once, by its first cause. */
  errors: Map<ErrorCause, number>
  watchedMs: number
  mediaMs: number
  stalledMs: number
  /** Plays with at least one interruption by buffering. */
  stalledPlays: number
  /** The times to the first frame of plays. */
  firstFramesMs: number[]
}

/** Returns the experience of no session. */
export const noExperience = (): Experience => ({
  plays: 0,
  attempts: 0,
  errors: new Map(),
  watchedMs: 0,
  mediaMs: 0,
  stalledMs: 0,
  stalledPlays: 0,
  firstFramesMs: [],
})

/** Adds up what sessions have become since they were counted last. What has become less, such as an error that was solved, stays counted. */
export function experienceOf(sessions: readonly SessionToCount[]): Experience {
  const sum = noExperience()
  for (const { measures, counted } of sessions) addSession(sum, measures, counted)
  return sum
}

function addSession(sum: Experience, now: SessionMeasures, before: SessionMeasures | null): void {
  const [is, was] = [totalsOf(now, null), before ? totalsOf(before, null) : noTotals()]
  for (const name of ['plays', 'attempts', 'watchedMs', 'mediaMs', 'stalledMs'] as const)
    sum[name] += Math.max(0, is[name] - was[name])
  if (is.stalls > 0 && was.stalls === 0) sum.stalledPlays += 1
  if (is.firstFrames > was.firstFrames) sum.firstFramesMs.push(is.firstFrameMs)
  if (is.errors <= was.errors) return
  const cause = ERROR_CAUSES.find((known): known is PlayerCause => known === now.error)
  const name = cause ?? OTHER_VALUE
  sum.errors.set(name, (sum.errors.get(name) ?? 0) + 1)
}
