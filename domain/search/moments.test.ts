import { describe, expect, it } from 'vitest'
import type { Cue } from './cues.ts'
import { momentIn } from './moments.ts'
import { wordsIn } from './words.ts'

const cue = (second: number, text: string): Cue => ({
  startMs: second * 1_000,
  endMs: (second + 3) * 1_000,
  text,
})

/** Words that are themselves, without stems. */
const find = (cues: Cue[], ...sought: string[]) =>
  momentIn(cues, {
    wordsOf: (text) => [...wordsIn(text, true)],
    lexemesOf: (word) => (sought.includes(word) ? [word] : []),
  })

const marked = (cues: Cue[], ...sought: string[]): string =>
  find(cues, ...sought)
    .snippet.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join('')

describe('the moment of a passage', () => {
  const passage = [
    cue(0, 'The plant takes light.'),
    cue(4, 'Then it grows.'),
    cue(8, 'Energy comes from light, as energy.'),
    cue(12, 'It is turned'),
    cue(16, 'into energy.'),
  ]

  it('is the first cue that has most of what is sought', () => {
    expect(find(passage, 'light', 'energy')).toMatchObject({ startMs: 8_000, endMs: 11_000 })
    expect(find(passage, 'light')).toMatchObject({ startMs: 0, endMs: 3_000 })
  })

  it('goes over several cues if no single one has as much', () => {
    expect(find(passage, 'turned', 'into')).toMatchObject({ startMs: 12_000, endMs: 19_000 })
  })

  it('is the beginning of a passage that says nothing of it in a form that is known', () => {
    expect(find(passage)).toMatchObject({ startMs: 0, endMs: 3_000 })
  })

  it('has a snippet that goes on, with the matches as they were said', () => {
    expect(marked(passage, 'light', 'energy')).toBe(
      '[Energy] comes from [light], as [energy]. It is turned into [energy].',
    )
    expect(marked([cue(0, 'Die Énergie <b> & mehr')], 'energie')).toBe('Die [Énergie] <b> & mehr')
  })

  it('marks characters without spaces as one part', () => {
    expect(marked([cue(0, '人工智能和机器学习。')], '机器', '器学', '学习')).toBe(
      '人工智能和[机器学习]。',
    )
  })

  it('cuts a long cue at spaces, with its first match', () => {
    const text = `${'before '.repeat(40)}match ${'behind '.repeat(60)}`.trim()
    const snippet = marked([cue(0, text)], 'match')
    expect(snippet).toMatch(/^…before .*\[match\] behind .*behind…$/)
    expect(snippet.length).toBeLessThanOrEqual(330)
  })

  it('cuts within no character', () => {
    const { snippet } = find([cue(0, '😀'.repeat(250))], 'match')
    for (const { text } of snippet) expect(text.isWellFormed()).toBe(true)
  })
})
