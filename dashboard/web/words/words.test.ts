import { describe, expect, it } from '@jest/globals'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fill } from './fill.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'

type Texts = { [name: string]: string | Texts }

/** All texts with their places, such as `videos.title`. */
const textsOf = (texts: Texts, place = ''): [string, string][] =>
  Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[place + name, value]] : textsOf(value, `${place}${name}.`),
  )

const blanksOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted()

describe.each(Object.entries({ de, es, fr, pt, ar }))('the words in %s', (_language, words) => {
  it('are complete, none is empty, and each has the blanks of the English text', () => {
    const texts = new Map(textsOf(words))
    for (const [place, english] of textsOf(en)) {
      const text = texts.get(place) ?? ''
      expect([place, text.trim() === '']).toEqual([place, false])
      expect([place, blanksOf(text)]).toEqual([place, blanksOf(english)])
    }
  })
})

describe('a text with blanks', () => {
  it('is filled, and keeps a blank without a value', () => {
    expect(fill('{a} of {b}', { a: 1 })).toBe('1 of {b}')
  })
})
