import { describe, expect, it } from 'vitest'
import { chooseTiles, tileSize, tileTimes } from './storyboard.ts'

/** The seconds of the tiles that parts of a video make, cut at these seconds. */
const secondsOf = (cuts: number[], videoSeconds: number): number[] =>
  cuts.slice(1).flatMap((to, index) => {
    const { first, every, count } = tileTimes(cuts[index] ?? 0, to, videoSeconds)
    return Array.from({ length: count }, (_, tile) => first + tile * every)
  })

describe('the tiles of a storyboard', () => {
  it('are one for every keyframe of a short video, and at most a hundred', () => {
    expect(secondsOf([0, 9], 9)).toEqual([0, 2, 4, 6, 8])
    expect(secondsOf([0, 200], 200)).toHaveLength(100)
    expect(secondsOf([0, 201], 201)).toHaveLength(51)
    const tenHours = secondsOf([0, 36_000], 36_000)
    expect(tenHours).toHaveLength(100)
    expect(tenHours.at(-1)).toBe(99 * 360)
  })

  it('exist for a video of one frame', () => {
    expect(secondsOf([0, 0.04], 0.04)).toEqual([0])
  })

  it.each([
    ['at round seconds', Array.from({ length: 33 }, (_, chunk) => chunk * 32), 1024],
    ['between seconds', Array.from({ length: 33 }, (_, chunk) => chunk * 32.032), 1025.024],
    ['closer than the tiles', Array.from({ length: 321 }, (_, chunk) => chunk * 112.5), 36_000],
  ])('are each made once by chunks that are cut %s', (_, cuts, videoSeconds) => {
    expect(secondsOf(cuts, videoSeconds)).toEqual(secondsOf([0, videoSeconds], videoSeconds))
  })

  it('of a video that is longer than planned are a hundred again', () => {
    const seconds = [...secondsOf([0, 32, 64, 3_600], 70)].toSorted((a, b) => a - b)
    expect(seconds.length).toBeGreaterThan(100)
    const chosen = chooseTiles(seconds, 3_600_000)
    expect(chosen.length).toBeLessThanOrEqual(100)
    expect(chosen[0]).toBe(0)
  })

  it('end where the video ends, even if it was planned longer', () => {
    expect(chooseTiles([8, 0, 4, 6, 2], 5_000)).toEqual([0, 2, 4])
    expect(chooseTiles([0], 0)).toEqual([0])
  })

  it('have even sides, the longer one of 160 pixels', () => {
    expect(tileSize(1920, 1080)).toEqual({ width: 160, height: 90 })
    expect(tileSize(480, 854)).toEqual({ width: 90, height: 160 })
    expect(tileSize(4_000, 10)).toEqual({ width: 160, height: 2 })
  })
})
