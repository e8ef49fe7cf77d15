import { describe, expect, it } from 'vitest'
import { readPlaybackReport, resumeSeconds } from './playback-session.ts'

const NOTHING = { positionMs: null, watchedMs: null, bytesLoaded: null }
const MINUTE = 60_000

describe('a heartbeat', () => {
  it('reports position, watched time and bytes', () => {
    const body = { position_seconds: 12.3456, watched_seconds: 11, bytes_loaded: 1000.9, more: 1 }
    expect(readPlaybackReport(body, MINUTE)).toEqual({
      positionMs: 12_346,
      watchedMs: 11_000,
      bytesLoaded: 1000,
    })
    expect(readPlaybackReport({ position_seconds: 0 }, MINUTE)).toEqual({
      ...NOTHING,
      positionMs: 0,
    })
  })

  it('says that its page closes with true only', () => {
    expect(readPlaybackReport({ is_leaving: true }, MINUTE)).toEqual({
      ...NOTHING,
      isLeaving: true,
    })
    for (const other of [false, 'true', 1, null])
      expect(readPlaybackReport({ is_leaving: other }, MINUTE)).toEqual(NOTHING)
  })

  it('reports at most four times the elapsed time and ten seconds as watched', () => {
    const watched = (seconds: number, elapsedMs: number) =>
      readPlaybackReport({ watched_seconds: seconds }, elapsedMs).watchedMs
    expect(watched(120, MINUTE)).toBe(120_000)
    expect(watched(9999, MINUTE)).toBe(280_000)
    expect(watched(9999, -MINUTE)).toBe(40_000)
  })

  it.each([undefined, null, 'x', 7, [], [1], true, {}])(
    'reports nothing with the body %j',
    (body) => {
      expect(readPlaybackReport(body, MINUTE)).toEqual(NOTHING)
    },
  )

  it.each([-1, Number.NaN, Infinity, -Infinity, 1e300, '7', null, [7], { valueOf: 7 }, true])(
    'reports nothing with the value %j',
    (value) => {
      const body = { position_seconds: value, watched_seconds: value, bytes_loaded: value }
      expect(readPlaybackReport(body, MINUTE)).toEqual(NOTHING)
    },
  )
})

describe('playback of a returning viewer', () => {
  it.each([
    ['resumes at the last position', 90_900, 10 * MINUTE, 90],
    ['resumes while the duration is unknown', 90_000, null, 90],
    ['starts at the beginning without a recorded position', null, 10 * MINUTE, null],
    ['starts at the beginning from a position in the first ten seconds', 9_999, 10 * MINUTE, null],
    ['resumes at the tenth second', 10_000, 10 * MINUTE, 10],
    ['starts at the beginning from the last 5 %', 114 * MINUTE + 1, 120 * MINUTE, null],
    ['resumes just before the last 5 %', 114 * MINUTE, 120 * MINUTE, 6840],
    ['starts at the beginning from the last 15 seconds of a short video', 45_001, MINUTE, null],
    ['resumes just before the last 15 seconds', 45_000, MINUTE, 45],
    ['starts at the beginning of a video shorter than both ends', 12_000, 14_000, null],
  ])('%s', (_title, positionMs, durationMs, seconds) => {
    expect(resumeSeconds(positionMs, durationMs)).toBe(seconds)
  })
})
