import { describe, expect, it } from 'vitest'
import { framesPerSecond } from './rendition.ts'

describe('an exact frame rate', () => {
  it.each([
    ['30/1', 30],
    ['25', 25],
    ['24000/1001', 24_000 / 1001],
  ])('of %s is %d frames per second', (frameRate, expected) => {
    expect(framesPerSecond(frameRate)).toBe(expected)
  })
})
