import { describe, expect, it } from '@jest/globals'
import { clockTime } from './words.ts'

describe('a position', () => {
  it.each([
    [0, '0:00'],
    [59.99, '0:59'],
    [245, '4:05'],
    [3723, '1:02:03'],
    [-1, '0:00'],
  ])('of %s s is shown as %s', (seconds, text) => expect(clockTime(seconds)).toBe(text))

  it.each([
    [0, '0:00.00'],
    [12.04, '0:12.04'],
    [245.5, '4:05.50'],
    [3723.999, '1:02:03.99'],
  ])('of %s s is shown with hundredths as %s', (seconds, text) =>
    expect(clockTime(seconds, { hundredths: true })).toBe(text),
  )
})
