import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../../domain/language.ts'
import { DRM_PROBLEMS } from '../../problems.ts'
import type { DrmWords } from './drm-words.ts'

const wordsOf = async (language: string): Promise<DrmWords> => {
  const { default: words }: { default: DrmWords } = await import(`./${language}.ts`)
  return words
}

describe.each(LANGUAGES)('the words of Multi-DRM in %s', (language) => {
  it('have a text of their own for each problem and each obstacle', async () => {
    const { messages, obstacles } = await wordsOf(language)
    expect(Object.keys(messages).sort()).toEqual([...DRM_PROBLEMS].sort())
    const texts = [...Object.values(messages), ...Object.values(obstacles)]
    expect(new Set(texts).size).toBe(texts.length)
    for (const text of texts) expect(text.trim().length).toBeGreaterThan(10)
  })

  it('differ from those of every other language', async () => {
    const { messages, obstacles } = await wordsOf(language)
    for (const other of LANGUAGES.filter((one) => one !== language)) {
      const theirs = await wordsOf(other)
      for (const code of DRM_PROBLEMS) expect(messages[code]).not.toBe(theirs.messages[code])
      for (const [why, text] of Object.entries(theirs.obstacles))
        expect(Object.entries(obstacles)).not.toContainEqual([why, text])
    }
  })
})
