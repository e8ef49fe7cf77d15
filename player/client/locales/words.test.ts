import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../domain/language.ts'
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

/** The places of all texts, each with the placeholders of its text; a text that is empty has none. */
function shapeOf(words: object, path = ''): string[] {
  return Object.entries(words).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [
          `${path}${name} ${value === '' ? 'empty' : [...(value.match(/\{\w+\}/g) ?? [])].sort().join()}`,
        ]
      : shapeOf(value as object, `${path}${name}.`),
  )
}

describe('the words of a language', () => {
  const wordsOf = async (language: string): Promise<object> =>
    ((await import(`./${language}.ts`)) as { default: object }).default

  it.each(LANGUAGES)('are complete, with the placeholders of English: %s', async (language) =>
    expect(shapeOf(await wordsOf(language)).sort()).toEqual(shapeOf(await wordsOf('en')).sort()),
  )
})
