import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexedText, soughtText, wordsIn } from './words.ts'

const textsOf = (text: string, ignoresAccents = true) =>
  [...wordsIn(text, ignoresAccents)].map(({ word }) => word)

describe('the words of a text', () => {
  it.each([
    ['Hello, WORLD!', ['hello', 'world']],
    ["It's H264 — at 3.5 MB", ['it', 's', 'h264', 'at', '3', '5', 'mb']],
    ['state-of-the-art', ['state', 'of', 'the', 'art']],
    ['<b>x & y</b>', ['b', 'x', 'y', 'b']],
    ['soft\u00ADhyphen', ['softhyphen']],
    ['ÉCOLE Straße Łódź Ærø', ['ecole', 'strasse', 'lodz', 'aero']],
    ['Привет, МИР', ['привет', 'мир']],
    ['مـــرحبا بالعالم', ['مرحبا', 'بالعالم']],
    ['שָׁלוֹם', ['שלום']],
    ['ｆｕｌｌ　ｗｉｄｔｈ', ['full', 'width']],
    ['x'.repeat(101), []],
    ['… ? !', []],
  ])('of %j are %j', (text, words) => {
    expect(textsOf(text)).toEqual(words)
  })

  it('keep their accents where stems depend on them', () => {
    expect(textsOf('École Élevé', false)).toEqual(['école', 'élevé'])
  })

  it('of scripts without spaces are pairs, and then single characters', () => {
    expect(textsOf('机器学习')).toEqual(['机器', '器学', '学习', '机', '器', '学', '习'])
    expect(textsOf('ﾗｽ2枚㈠')).toEqual(['ラス', 'ラ', 'ス', '2', '枚一', '枚', '一'])
    expect(textsOf('ไทย')).toEqual(['ไท', 'ทย', 'ไ', 'ท', 'ย'])
  })

  it('lead back to their places in the text', () => {
    const text = 'Über 机器学 – x'
    const places = [...wordsIn(text, true)].map(({ start, end }) => text.slice(start, end))
    expect(places).toEqual(['Über', '机器', '器学', '机', '器', '学', 'x'])
  })
})

describe('the text of the index', () => {
  it('has single characters behind all words', () => {
    expect(indexedText('the 机器 x', true)).toBe('the 机器 x 机 器')
  })

  it('has only letters, marks, digits and single spaces, whatever was said', () => {
    const anything = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(anything, fc.boolean(), (text, ignoresAccents) => {
        const indexed = indexedText(text, ignoresAccents)
        expect(indexed).toMatch(/^([\p{L}\p{M}\p{N}]+( [\p{L}\p{M}\p{N}]+)*)?$/u)
      }),
      { numRuns: 500 },
    )
  })

  it('has the words of each part of a text without spaces one after the other', () => {
    const characters = fc.array(
      fc.constantFrom('机', '器', '学', '习', '是', '人', '工', '智', '能', '茶'),
      {
        minLength: 2,
        maxLength: 12,
      },
    )
    fc.assert(
      fc.property(characters, fc.nat(), fc.nat(), (said, from, length) => {
        const text = said.join('')
        const start = from % (text.length - 1)
        const part = text.slice(start, start + 2 + (length % (text.length - start - 1)))
        expect(` ${indexedText(`x ${text} y`, true)} `).toContain(` ${soughtText(part, true)} `)
      }),
    )
  })
})
