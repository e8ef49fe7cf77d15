import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sourceLine } from './source-text.ts'

it.each([
  ['A\u0001B', 'A B'],
  [' two\r\n lines\t ', 'two lines'],
  ['\ud83d', '\ufffd'],
  ['not\ufffea\uffffcharacter', 'not a character'],
  ['\u0000\u0085', ''],
  ['Übung – 日本語 😀', 'Übung – 日本語 😀'],
])('makes of %j the line %j', (text, line) => expect(sourceLine(text, 255)).toBe(line))

it('cuts no character into halves', () => {
  expect(sourceLine(`x${'😀'.repeat(60)}`, 100)).toBe(`x${'😀'.repeat(49)}`)
  expect(sourceLine('😀', 2)).toBe('😀')
})

it('is a line of XML characters with a limited length, whatever the text is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(30), (text, maxLength) => {
      const line = sourceLine(text, maxLength)
      expect(line.isWellFormed()).toBe(true)
      expect(line.length).toBeLessThanOrEqual(maxLength)
      expect(line).not.toMatch(/[\p{Cc}\ufffe\uffff]/u)
    }),
  )
})
