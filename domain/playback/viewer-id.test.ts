import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  displayedViewerId,
  isPlainViewerId,
  isViewerId,
  PLAIN_VIEWER_ID_PATTERN,
} from './viewer-id.ts'

const BIDI = Array.from('\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')
/** Texts in which special characters are frequent. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(...BIDI, ' ', '\u00a0', '\u200b', '\u200d', '\u3164', '\u2800', '\ufe0f'),
      fc.constantFrom('\\', '\\u', '{', '}', 'u', '202E', '\\u{202E}', '\\u{5C}', 'a', 'é', '木'),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''))
const viewerIds = texts.filter(isViewerId)

/** Decodes the escapes. */
const undisplayed = (text: string): string =>
  text.replaceAll(/\\u\{([0-9A-F]+)\}/g, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  )

describe('a viewer id', () => {
  it.each([
    ['a', true],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['é'.repeat(32), true],
    ['é'.repeat(33), false],
    ['', false],
    ['a\u0000', false],
    ['a\tb', false],
    ['a\u2028b', false],
    ['\ud800', false],
    ['ann@example.com', true],
  ])('%j is valid: %s', (text, valid) => {
    expect(isViewerId(text)).toBe(valid)
  })
})

describe('a viewer id that is signed', () => {
  it.each([
    'a',
    'ann@example.com',
    'Ann Lee',
    'مرحبا',
    'שלום',
    '日本語',
    '👩‍👩‍👧',
    'می‌خواهم',
    '\\u{202E}',
  ])('may be %j', (text) => {
    expect(isPlainViewerId(text)).toBe(true)
  })

  it.each([
    ...BIDI.map((control) => `ann${control}eel`),
    '\u200b',
    ' ',
    '\u00a0',
    '\u3000 \u2003',
    '\u3164',
    '\u115f',
    '\u2800',
    '\u00ad\u034f',
    '\ufeff',
    '\u{e0041}',
    '\ufff9',
    '\u0301'.repeat(10),
    ' \u0301',
    '',
  ])('may not be %j', (text) => {
    expect(isPlainViewerId(text)).toBe(false)
  })
})

describe('a viewer id on the watermark', () => {
  it.each([
    ['ann@example.com', 'ann@example.com'],
    ['Ann Lee', 'Ann Lee'],
    ['CORP\\ulrich', 'CORP\\ulrich'],
    ['مرحبا', 'مرحبا'],
    ['ann\u202eeel', 'ann\\u{202E}eel'],
    ['\u200b', '\\u{200B}'],
    [' ', '\\u{20}'],
    ['a  b ', 'a \\u{20}b\\u{20}'],
    ['a\u00a0b', 'a\\u{A0}b'],
    ['\u{e0041}', '\\u{E0041}'],
    ['\u0301\u0301', '\\u{301}\\u{301}'],
    ['a\u0301', 'a\u0301'],
    ['a \u0301b', 'a \\u{301}b'],
    ['\\u{202E}', '\\u{5C}u{202E}'],
  ])('of %j is %j', (viewerId, shown) => {
    expect(displayedViewerId(viewerId)).toBe(shown)
  })

  it('is never blank and has no invisible or reordering characters', () => {
    fc.assert(
      fc.property(viewerIds, (viewerId) => {
        const shown = displayedViewerId(viewerId)
        expect(shown).not.toMatch(/^\s*$/)
        expect(shown).not.toMatch(/[\p{C}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u)
        // The only space is a single one between two other characters.
        expect(shown).not.toMatch(/(?! )\p{Z}|^ | $| {2}/u)
      }),
      { numRuns: 5000 },
    )
  })

  it('differs for different viewer ids, because the escapes can be decoded', () => {
    fc.assert(
      fc.property(viewerIds, (viewerId) => {
        expect(undisplayed(displayedViewerId(viewerId))).toBe(viewerId)
      }),
      { numRuns: 5000 },
    )
  })

  it('is the id itself if it is readable', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]{1,64}$/), (viewerId) => {
        fc.pre(!viewerId.includes('\\u{'))
        expect(displayedViewerId(viewerId)).toBe(viewerId)
      }),
    )
  })
})

describe('the pattern of a plain viewer id', () => {
  it('accepts and refuses each character as the API does', () => {
    const pattern = new RegExp(PLAIN_VIEWER_ID_PATTERN)
    const differing = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code))
      .filter((character) => character.isWellFormed())
      .filter((one) => pattern.test(`a${one}`) !== isPlainViewerId(`a${one}`))
    expect(differing).toEqual([])
  })
})
