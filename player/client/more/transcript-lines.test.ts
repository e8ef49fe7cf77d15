import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currentLine, splitAtMatches } from './transcript-lines.ts'

const LINES = [1, 4, 4, 9].map((start) => ({ start, end: start + 2, text: 'x' }))

describe('the transcript', () => {
  it.each([
    [0, -1],
    [1, 0],
    [3.9, 0],
    [4, 2],
    [100, 3],
  ])('is at %s s in line %s', (seconds, line) => expect(currentLine(LINES, seconds)).toBe(line))

  it.each([
    ['Hello world', 'WORLD', ['Hello ', 'world', '']],
    ['Über die Brücke', 'uber', ['', 'Über', ' die Brücke']],
    ['a-a-a', 'a', ['', 'a', '-', 'a', '-', 'a', '']],
    ['Hello', 'x', ['Hello']],
    ['Hello', '  ', ['Hello']],
    ['مرحبا بالعالم', 'بالعالم', ['مرحبا ', 'بالعالم', '']],
    ['cafe\u0301!', 'café', ['', 'cafe\u0301', '!']],
    ['👋🏽 hi', 'hi', ['👋🏽 ', 'hi', '']],
  ])('finds in "%s" "%s"', (text, search, parts) =>
    expect(splitAtMatches(text, search)).toEqual(parts),
  )

  it('loses nothing of a text by a search', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (text, search) => {
          expect(splitAtMatches(text, search).join('')).toBe(text)
        },
      ),
    ))

  it('finds every part of a text', () =>
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, part, after) => {
        fc.pre(part.trim() !== '')
        expect(splitAtMatches(before + part + after, part).length).toBeGreaterThan(1)
      }),
    ))
})
