import { describe, expect, it } from 'vitest'
import {
  choosePictures,
  everyPicture,
  LANGUAGES,
  SCHEMES,
  STATES,
  WINDOWS,
  type Choice,
} from './choose-pictures.ts'

const pairs = (choices: readonly Choice[], a: keyof Choice, b: keyof Choice): Set<string> =>
  new Set(choices.map((choice) => JSON.stringify([choice[a], choice[b]])))

// From pages with all states to pages with one.
describe.each(STATES.map((_, index) => STATES.slice(index)))(
  'the pictures of a page',
  (...states) => {
    const choices = choosePictures(states)

    it('are twelve, with every pair of width, scheme and language', () => {
      expect(choices).toHaveLength(12)
      expect(pairs(choices, 'window', 'scheme').size).toBe(WINDOWS.length * SCHEMES.length)
      expect(pairs(choices, 'window', 'language').size).toBe(WINDOWS.length * LANGUAGES.length)
      expect(pairs(choices, 'scheme', 'language').size).toBe(SCHEMES.length * LANGUAGES.length)
    })

    it('show each of its states at least twice, and no other', () => {
      const counts = states.map((one) => choices.filter(({ state }) => state === one).length)
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(2)
      expect(counts.reduce((sum, count) => sum + count)).toBe(choices.length)
    })
  },
)

describe('the whole matrix', () => {
  it('has every picture once, those that are chosen among them', () => {
    const all = everyPicture(STATES).map((choice) => JSON.stringify(choice))
    expect(new Set(all).size).toBe(WINDOWS.length * SCHEMES.length * LANGUAGES.length * 5)
    for (const choice of choosePictures(STATES)) expect(all).toContain(JSON.stringify(choice))
  })
})
