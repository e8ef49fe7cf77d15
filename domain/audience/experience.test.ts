import { describe, expect, it } from 'vitest'
import { experienceOf, noExperience } from './experience.ts'
import type { SessionToCount } from './fold-sessions.ts'
import type { SessionMeasures } from './session-measures.ts'

const NOTHING: SessionMeasures = {
  watchedMs: 0,
  mediaMs: 0,
  parts: null,
  replayedParts: null,
  firstFrameMs: null,
  stalls: 0,
  stalledMs: 0,
  quality: null,
  speed: null,
  error: null,
}
const PLAYED = { watchedMs: 60_000, mediaMs: 90_000, firstFrameMs: 800 }

const session = (
  now: Partial<SessionMeasures>,
  before: Partial<SessionMeasures> | null = null,
): SessionToCount => ({
  accountId: 1,
  videoId: '0123456789abcdef0123',
  startedAtMs: 0,
  refererHost: null,
  userAgent: null,
  durationMs: 120_000,
  measures: { ...NOTHING, ...now },
  counted: before && { ...NOTHING, ...before },
})

describe('what sessions add to the metrics', () => {
  it('is nothing for a page that was only opened, and an attempt with its error for one that failed', () => {
    const opened = { ...PLAYED, watchedMs: 2_999, stalls: 1, stalledMs: 500 }
    expect(experienceOf([session(opened)])).toEqual(noExperience())
    expect(experienceOf([session({ error: 'network' })])).toEqual({
      ...noExperience(),
      attempts: 1,
      errors: new Map([['network', 1]]),
    })
  })

  it('is what a play has become since it was counted last, and never less', () => {
    const stalled = { stalls: 2, stalledMs: 3_000 }
    expect(experienceOf([session({ ...PLAYED, ...stalled })])).toEqual({
      ...noExperience(),
      plays: 1,
      attempts: 1,
      watchedMs: 60_000,
      mediaMs: 90_000,
      stalledMs: 3_000,
      stalledPlays: 1,
      firstFramesMs: [800],
    })
    const later = { ...PLAYED, stalls: 3, watchedMs: 70_000, mediaMs: 100_000, stalledMs: 4_000 }
    expect(experienceOf([session(later, { ...PLAYED, ...stalled, error: 'network' })])).toEqual({
      ...noExperience(),
      watchedMs: 10_000,
      mediaMs: 10_000,
      stalledMs: 1_000,
    })
    expect(experienceOf([session({}, later)])).toEqual(noExperience())
  })

  it('has each error once, by its first cause, and puts what a viewer makes up together', () => {
    const failed = { ...PLAYED, error: 'drm_expired' }
    const { errors } = experienceOf([
      session(failed, PLAYED),
      session({ ...failed, error: 'failed' }, failed),
      session({ error: 'x' }),
      session({ error: 'constructor' }),
    ])
    expect(Object.fromEntries(errors)).toEqual({ drm_expired: 1, other: 2 })
  })
})
