import { describe, expect, it } from 'vitest'
import { isListFor, isReadyFor, listStartFor, partAt, type ReadyParts } from './ready-parts.ts'

const READY: ReadyParts = [
  [0, 16],
  [40, 48],
]
const VIDEO = { seconds: 1.5, duration: 60 }

describe('the parts of a video that play', () => {
  it.each([
    [0, [0, 16]],
    [15.8, [0, 16]],
    [16, undefined],
    [39.95, [40, 48]],
    [48, undefined],
  ])('at %s s: %j', (place, part) => expect(partAt(READY, place)).toEqual(part))

  it.each([
    [3, true],
    [14.6, false],
    [20, false],
    [46, true],
  ])('go on for some seconds at %s s: %s', (place, isReady) =>
    expect(isReadyFor(READY, place, VIDEO)).toBe(isReady),
  )

  it('go on up to the end of the video', () => {
    expect(isReadyFor([[52, 60]], 59.5, VIDEO)).toBe(true)
  })
})

describe('the list of segments for a place', () => {
  it.each([
    [0, 0],
    [15, 0],
    [30, 0],
    [39.95, 40],
    [55, 40],
  ])('of %s s begins at %s s: with the part there, or the last one before', (place, start) =>
    expect(listStartFor(READY, place)).toBe(start),
  )

  it('does not exist while nothing plays', () => expect(listStartFor([], 3)).toBeNull())

  it.each([
    ['ahead of a list that grows', 0, 30, true],
    ['in another part', 0, 44, false],
    ['before the list', 40, 3, false],
    ['in the hole before the list', 40, 30, false],
    ['in a list that began within its part', 44, 45, true],
    ['before such a list', 44, 41, false],
  ])('is the loaded one %s', (_where, from, place, isLoaded) =>
    expect(isListFor(READY, from, place)).toBe(isLoaded),
  )

  it('is still the loaded one when the hole before it is filled', () => {
    expect(isListFor([[0, 60]], 40, 50)).toBe(true)
  })
})
