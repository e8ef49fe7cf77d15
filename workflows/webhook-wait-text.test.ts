import { describe, expect, it } from '@jest/globals'
import { waitText } from './webhook-wait-text.ts'

describe('a wait in words', () => {
  it.each([
    [1, '1 s'],
    [37_400, '38 s'],
    [60_000, '1 min'],
    [61_000, '1 min'],
    [300_000, '5 min'],
    [1_800_000, '30 min'],
    [3_599_000, '1 h'],
    [7_200_000, '2 h'],
    [6_000_000, '1 h 40 min'],
  ])('%i ms is %s', (waitMs, text) => {
    expect(waitText(waitMs)).toBe(text)
  })
})
