import { describe, expect, it } from '@jest/globals'
import { readPlaybackReport } from './playback-report.ts'

const NOTHING = { positionMs: null, watchedMs: null, bytesLoaded: null }
const MINUTE = 60_000

describe('a heartbeat', () => {
  it('tells position, watched time and bytes', () => {
    const body = { position_seconds: 12.3456, watched_seconds: 11, bytes_loaded: 1000.9, more: 1 }
    expect(readPlaybackReport(body, MINUTE)).toEqual({
      ...{ positionMs: 12_346, watchedMs: 11_000, bytesLoaded: 1000 },
    })
    expect(readPlaybackReport({ position_seconds: 0 }, MINUTE)).toEqual({
      ...{ ...NOTHING, positionMs: 0 },
    })
  })

  it('is not believed to have watched more than four times what has passed, and ten seconds', () => {
    const watched = (seconds: number, elapsedMs: number) =>
      readPlaybackReport({ watched_seconds: seconds }, elapsedMs).watchedMs
    expect(watched(120, MINUTE)).toBe(120_000)
    expect(watched(9999, MINUTE)).toBe(280_000)
    expect(watched(9999, -MINUTE)).toBe(40_000)
  })

  it.each([undefined, null, 'x', 7, [], [1], true, {}])('tells nothing as %j', (body) => {
    expect(readPlaybackReport(body, MINUTE)).toEqual(NOTHING)
  })

  it.each([...[-1, Number.NaN, Infinity, -Infinity, 1e300, '7', null, [7], { valueOf: 7 }, true]])(
    'tells nothing by the value %j',
    (value) => {
      const body = { position_seconds: value, watched_seconds: value, bytes_loaded: value }
      expect(readPlaybackReport(body, MINUTE)).toEqual(NOTHING)
    },
  )
})
