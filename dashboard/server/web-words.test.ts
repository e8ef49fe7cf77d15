import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../domain/language.ts'
import { failureText } from '../web/pages/videos/video/failure-words.ts'
import type { Words } from '../web/words/en.ts'
import { interpolate } from '../web/words/interpolate.ts'

type Texts = { [name: string]: string | Texts }

const WEB = fileURLToPath(new URL('../web/', import.meta.url))

/** All texts with their places, such as `videos.title`. */
const textsOf = (texts: Texts, place = ''): [string, string][] =>
  Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[place + name, value]] : textsOf(value, `${place}${name}.`),
  )

const blanksOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted()

/** The folders of words: that of the frame, and one for each area of pages. */
const files = await readdir(WEB, { recursive: true })
const folders = files.filter((file) => /words[/]en\.ts$/.test(file)).map((file) => dirname(file))

async function wordsOf(folder: string, language: string): Promise<Map<string, string>> {
  const module: Record<string, Texts> = await import(join(WEB, folder, `${language}.ts`))
  return new Map(textsOf(module[language] ?? {}))
}

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

describe('a text with blanks', () => {
  it('is filled, and keeps a blank without a value', () => {
    expect(interpolate('{a} of {b}', { a: 1 })).toBe('1 of {b}')
  })
})

describe('why a video failed', () => {
  const wordsOf = async (language: string): Promise<Words> => {
    const module: Record<string, Words> = await import(join(WEB, 'words', `${language}.ts`))
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
