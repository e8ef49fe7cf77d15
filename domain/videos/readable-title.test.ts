import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TITLE_MAX_LENGTH } from '../limits.ts'
import { looksLikeFileName, readableTitle, readableTitleOfUrl } from './readable-title.ts'

const FILES: [name: string, title: string][] = [
  ['IMG_2041.MOV', ''],
  ['VID-20260512-WA0003.mp4', ''],
  ['DSC04521', ''],
  ['GX010123.MP4', ''],
  ['2026-05-12 18.04.31.mkv', ''],
  ['3f2b8c1e-9d40-4a57-8b6e-0c1d2e3f4a5b.mp4', ''],
  ['5d41402abc4b2a76b9719d911017c592', ''],
  ['Untitled', ''],
  ['', ''],
  ['video.mp4', ''],
  ['final_v2 (1).mp4', 'Final v2'],
  ['opening_night.mp4', 'Opening night'],
  ['Lesson_03_light-and-colour_1080p.mov', 'Lesson 03 light-and-colour'],
  ['staff-training-2026.webm', 'Staff training 2026'],
  ['My.Summer.Film.mkv', 'My Summer Film'],
  ['My Lesson.mp4', 'My Lesson'],
  ['Interview - Copy.mp4', 'Interview'],
  ['follow-up.mp4', 'Follow-up'],
  ['élan_vital.mp4', 'Élan vital'],
]

describe('the title of a video', () => {
  it.each(FILES)('%s looks like a file name, and in words it is “%s”', (name, title) => {
    expect(looksLikeFileName(name)).toBe(true)
    expect(readableTitle(name)).toBe(title)
  })

  it.each([
    'Opening night',
    'Lesson 3: light and colour',
    'Press conference, 12 May',
    'Follow-up',
    'Behind-the-scenes',
    'Sommerfest',
    '2001: A Space Odyssey',
    'What is .mp4?',
    'Vidal in concert',
    'Clip show 4',
    'افتتاح',
    'Node.js',
  ])('%s does not look like a file name', (title) => expect(looksLikeFileName(title)).toBe(false))

  const word = fc.stringMatching(/^[a-zé]{2,9}$/)
  const words = fc.array(word, { minLength: 2, maxLength: 6 })

  it('looks like a file name with the extension of a video, and never as a sentence', () => {
    fc.assert(
      fc.property(words, fc.constantFrom('mp4', 'MOV', 'webm'), (sentence, extension) => {
        expect(looksLikeFileName(`${sentence.join(' ')}.${extension}`)).toBe(true)
        expect(looksLikeFileName(sentence.join('_'))).toBe(true)
        expect(looksLikeFileName(sentence.join(' '))).toBe(false)
      }),
    )
  })

  it('has in words all words of the file name, in their order', () => {
    const clear = words.filter(
      (sentence) => !sentence.some((one) => /^(copy|kopie|copia)$/.test(one)),
    )
    fc.assert(
      fc.property(clear, (sentence) => {
        const title = readableTitle(`${sentence.join('_')}.mp4`)
        expect(title.toLocaleLowerCase()).toBe(sentence.join(' '))
      }),
    )
  })

  it('in words is never a file name, too long or padded, and stays as it is when it is made readable again', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '_',
        '-',
        '.',
        ' ',
        '.mp4',
        '(1)',
        ' - Copy',
        '1080p',
        'IMG_',
        '2041',
        'untitled',
      ),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const title = readableTitle(parts.join(''))
        if (title === '') return
        expect(looksLikeFileName(title)).toBe(false)
        expect(title.length).toBeLessThanOrEqual(TITLE_MAX_LENGTH)
        expect(title).toBe(title.trim())
        expect(readableTitle(title)).toBe(title)
      }),
      { numRuns: 2000 },
    )
    expect(readableTitle(`${'word_'.repeat(200)}.mp4`).length).toBeLessThanOrEqual(TITLE_MAX_LENGTH)
  })

  it('of a link is that of its file', () => {
    expect(readableTitleOfUrl('https://a.example/files/opening%20night_2.mp4?sig=1')).toBe(
      'Opening night 2',
    )
    for (const text of ['https://a.example/', 'https://', 'opening_night.mp4', ''])
      expect(readableTitleOfUrl(text)).toBe('')
    fc.assert(
      fc.property(words, (sentence) => {
        const url = `https://a.example/${encodeURIComponent(sentence.join('_'))}.mp4`
        expect(readableTitleOfUrl(url)).toBe(readableTitle(sentence.join('_')))
      }),
    )
  })
})
