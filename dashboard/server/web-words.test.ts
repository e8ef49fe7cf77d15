import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { DEFINITIONS, TIME_DEFINITION } from '../../domain/audience/definitions.ts'
import { LANGUAGES } from '../../domain/language.ts'
import type { Words } from '../web/locales/en.ts'
import { interpolate } from '../web/locales/interpolate.ts'
import { plural, pluralText, type PluralText } from '../web/locales/plural.ts'
import { failureText } from '../web/pages/videos/video/failure-words.ts'

type Texts = { [name: string]: string | PluralText | Texts }

const WEB = fileURLToPath(new URL('../web/', import.meta.url))

const FORMS = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])
const isPlural = (value: object): value is PluralText =>
  Object.keys(value).every((name) => FORMS.has(name))

/** All texts with their places, such as `videos.title`; of plural forms the one for most numbers. */
const textsOf = (texts: Texts, place = ''): [string, string][] =>
  Object.entries(texts).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[place + name, value]]
    return isPlural(value) ? [[place + name, value.other]] : textsOf(value, `${place}${name}.`)
  })

const pluralsIn = (texts: Texts): PluralText[] =>
  Object.values(texts).flatMap((value) => {
    if (typeof value === 'string') return []
    return isPlural(value) ? [value] : pluralsIn(value)
  })

const blanksOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted()

/** The folders of words: that of the frame, and one for each area of pages. */
const files = await readdir(WEB, { recursive: true })
const folders = files.filter((file) => /locales[/]en\.ts$/.test(file)).map((file) => dirname(file))

async function load(folder: string, language: string): Promise<Texts> {
  const module: Record<string, Texts> = await import(join(WEB, folder, `${language}.ts`))
  return module[language] ?? {}
}

const wordsOf = async (folder: string, language: string): Promise<Map<string, string>> =>
  new Map(textsOf(await load(folder, language)))

describe.each(folders)('the words in %s', (folder) => {
  it.each(LANGUAGES)(
    'are complete in %s, with the blanks of the English texts',
    async (language) => {
      const [english, words] = await Promise.all([wordsOf(folder, 'en'), wordsOf(folder, language)])
      expect(english.size).toBeGreaterThan(0)
      expect([...words.keys()].toSorted()).toEqual([...english.keys()].toSorted())
      for (const [place, text] of words) {
        expect([place, text.trim()]).not.toEqual([place, ''])
        expect([place, blanksOf(text)]).toEqual([place, blanksOf(english.get(place) ?? '')])
      }
    },
  )
})

describe('the definitions of the audience', () => {
  it('are those of the API in the English pages and in the guide', async () => {
    const guide = await readFile(new URL('../../docs/dashboard.md', import.meta.url), 'utf8')
    const { definitions } = await load('pages/audience/locales', 'en')
    expect(definitions).toEqual({ ...DEFINITIONS, time: TIME_DEFINITION })
    for (const text of Object.values(DEFINITIONS)) expect(guide).toContain(text)
  })
})

describe('a text with a number', () => {
  it('has a form for each whole number that a list can have, in each language', async () => {
    for (const language of LANGUAGES) {
      const rules = new Intl.PluralRules(language)
      const needed = new Set(Array.from({ length: 1000 }, (_, number) => rules.select(number + 1)))
      const plurals = (await Promise.all(folders.map((folder) => load(folder, language)))).flatMap(
        pluralsIn,
      )
      expect(plurals.length).toBeGreaterThan(4)
      for (const text of plurals)
        expect(Object.keys(text)).toEqual(expect.arrayContaining([...needed]))
    }
  })

  it('takes the form of its number, which reads in its own direction', () => {
    const text = plural({ one: '{number} video', other: '{number} videos' })
    const of = (value: number): string =>
      pluralText(text, new Intl.PluralRules('en'), value, String(value))
    expect([of(1), of(0), of(27)]).toEqual(['1 video', '0 videos', '27 videos'])
  })
})

describe('a text with blanks', () => {
  it('is filled, and keeps a blank without a value', () => {
    expect(interpolate('{a} of {b}', { a: 1 })).toBe('1 of {b}')
  })
})

describe('why a video failed', () => {
  const wordsOf = async (language: string): Promise<Words> => {
    const module: Record<string, Words> = await import(join(WEB, 'locales', `${language}.ts`))
    const words = module[language]
    if (!words) throw new Error(`no words in ${language}`)
    return words
  }

  it.each(LANGUAGES)(
    'is audio without a picture, not an unreadable file, in %s',
    async (language) => {
      const words = await wordsOf(language)
      const text = failureText('no_video_stream', words)
      expect(text).not.toBe(failureText('unreadable_file', words))
      expect(text).not.toContain('MP4')
    },
  )

  it.each(LANGUAGES)(
    'is not called our fault in %s if the operator cancelled it',
    async (language) => {
      const words = await wordsOf(language)
      expect(failureText('cancelled', words)).not.toBe(failureText('internal_error', words))
    },
  )
})
