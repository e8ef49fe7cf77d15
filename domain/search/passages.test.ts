import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cuesOf, textOf, type Cue } from './cues.ts'
import { passagesOf } from './passages.ts'

const passages = (cues: Cue[]) => [...passagesOf(cues)]

/** Cues of four seconds, one after the other. */
const spoken = (count: number): Cue[] =>
  Array.from({ length: count }, (_, index) => ({
    startMs: index * 4_000,
    endMs: index * 4_000 + 3_500,
    text: `cue ${index}`,
  }))

describe('the cues of a caption', () => {
  const cues = (text: string) => [...cuesOf(text)]
  const said = (text: string) =>
    cues(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`).map((cue) => cue.text)

  it('have their times, with hours and without', () => {
    const file =
      'WEBVTT - A title\n\nNOTE nothing\n\nname\n00:01.250 --> 00:02.000 align:start\nOne\n\n\n100:00:00.000 --> 100:00:01.001\nTwo'
    const expected = [
      { startMs: 1_250, endMs: 2_000, text: 'One' },
      { startMs: 360_000_000, endMs: 360_001_001, text: 'Two' },
    ]
    expect(cues(file)).toEqual(expected)
    for (const lineEnd of ['\r\n', '\r'])
      expect(cues(file.replaceAll('\n', lineEnd))).toEqual(expected)
  })

  it.each([
    ['<v Bob>Hi <i>there</i>', ['Hi there']],
    ['two\nlines', ['two lines']],
    ['机器\n学习', ['机器学习']],
    ['机器 \n \n 学习 \n and', ['机器学习 and']],
    ['<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>', ['漢字']],
    ['R&amp;B &lt;3 &#x1F600; &#39; &unknown; &#55296;', ["R&B <3 😀 ' &unknown;"]],
    ['<b></b>', []],
    ['<unclosed', []],
  ])('of %j say %j', (text, expected) => {
    expect(said(text)).toEqual(expected)
  })

  it('are read in little time, however many spaces a cue has', () => {
    const atMs = performance.now()
    expect(said(`漢${'\n '.repeat(20_000)}x`)).toEqual(['漢 x'])
    expect(performance.now() - atMs).toBeLessThan(1_000)
  })

  it('that are very long are divided, within no character', () => {
    const parts = said('😀'.repeat(400))
    expect(parts.join('')).toBe('😀'.repeat(400))
    expect(parts.every((part) => part.isWellFormed() && part.length <= 500)).toBe(true)
    expect(said(`${'a'.repeat(400)} ${'b'.repeat(400)}`)).toEqual([
      'a'.repeat(400),
      'b'.repeat(400),
    ])
  })
})

describe('what cues say', () => {
  it('goes on from one to the next, without a space where the script has none', () => {
    const said = (...texts: string[]) =>
      textOf(texts.map((text) => ({ startMs: 0, endMs: 1, text })))
    expect(said('is turned', 'into')).toBe('is turned\ninto')
    expect(said('机器', '学习', 'AI', '茶')).toBe('机器学习\nAI\n茶')
  })
})

describe('the passages of a caption', () => {
  it('are about a minute, and begin with the last cue of the one before', () => {
    const [first = [], second = []] = passages(spoken(30))
    expect(first).toHaveLength(13)
    expect(second[0]).toEqual(first.at(-1))
  })

  it('do not cross a pause', () => {
    const [before, after] = [spoken(3), spoken(3)]
    const later = after.map((cue) => ({
      ...cue,
      startMs: cue.startMs + 24_000,
      endMs: cue.endMs + 24_000,
    }))
    expect(passages([...before, ...later])).toEqual([before, later])
  })

  it('have every cue in order, within their limits, whatever the times', () => {
    const cue = fc.record({
      startMs: fc.nat(200_000),
      endMs: fc.nat(200_000),
      text: fc.string({ minLength: 1, maxLength: 500 }),
    })
    fc.assert(
      fc.property(fc.array(cue, { maxLength: 200 }), (cues) => {
        const found = passages(cues)
        const flat = found.flatMap((passage, index) => {
          const isRepeated = index > 0 && passage[0] === found[index - 1]?.at(-1)
          return isRepeated ? passage.slice(1) : passage
        })
        expect(flat).toEqual(cues)
        for (const passage of found) {
          expect(passage.length).toBeLessThanOrEqual(40)
          const length = passage.reduce((sum, { text }) => sum + text.length, 0)
          expect(length <= 2_000 || passage.length <= 2).toBe(true)
        }
      }),
    )
  })
})
