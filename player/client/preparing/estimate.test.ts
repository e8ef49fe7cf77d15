import { describe, expect, it } from 'vitest'
import { aboutTime, estimateOf, estimateText, secondsLeft } from './estimate.ts'

const preparation = (seconds_left: number | null) => ({
  ready: [],
  duration: 60,
  seconds_left,
  renditions: 2,
})

describe('an estimate', () => {
  const estimate = estimateOf(preparation(10), 40, 1_000)

  it('counts down with the clock, and never below a second', () => {
    expect(secondsLeft(estimate, 40, 4_000)).toBe(7)
    expect(secondsLeft(estimate, 40, 15_000)).toBe(1)
  })

  it('is none for another place, without a basis, and when no response has come for long', () => {
    expect(secondsLeft(estimate, 43, 4_000)).toBeNull()
    expect(secondsLeft(estimateOf(preparation(null), 40, 1_000), 40, 4_000)).toBeNull()
    expect(secondsLeft(estimateOf(null, 40, 1_000), 40, 4_000)).toBeNull()
    expect(secondsLeft(estimate, 40, 17_000)).toBeNull()
  })

  it.each([
    [1, '1 second'],
    [7.2, '8 seconds'],
    [21, '25 seconds'],
    [88, '90 seconds'],
    [100, '2 minutes'],
    [600, '10 minutes'],
  ])('of %s s is shown as about %s', (seconds, text) => expect(aboutTime(seconds, 'en')).toBe(text))

  it('is left out of the text if there is none', () => {
    const texts = { withTime: 'in {time}', without: 'soon' }
    expect(estimateText(2, texts, 'de')).toBe('in 2 Sekunden')
    expect(estimateText(null, texts, 'de')).toBe('soon')
  })
})
