import { describe, expect, it } from '@jest/globals'
import { resumeSeconds } from './resume-position.ts'

const MINUTE = 60_000

describe('a film', () => {
  it.each([
    ['goes on where the viewer left it', 90_900, 10 * MINUTE, 90],
    ['goes on while its length is not known', 90_000, null, 90],
    ['begins anew where nothing is known', null, 10 * MINUTE, null],
    ['begins anew within its first ten seconds', 9_999, 10 * MINUTE, null],
    ['goes on from the tenth second', 10_000, 10 * MINUTE, 10],
    ['begins anew in its last 5 %', 114 * MINUTE + 1, 120 * MINUTE, null],
    ['goes on just before them', 114 * MINUTE, 120 * MINUTE, 6840],
    ['begins anew in the last 15 seconds of a short one', 45_001, MINUTE, null],
    ['goes on just before those', 45_000, MINUTE, 45],
    ['begins anew where it is shorter than all that', 12_000, 14_000, null],
  ])('%s', (_title, positionMs, durationMs, seconds) => {
    expect(resumeSeconds(positionMs, durationMs)).toBe(seconds)
  })
})
