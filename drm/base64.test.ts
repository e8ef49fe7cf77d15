import { describe, expect, it } from 'vitest'
import { isBase64Text } from './base64.ts'

describe('a text of base64', () => {
  it.each(['YQ==', ' YW\r\nJj', 'YQ==\n \n'])('is %j', (text) =>
    expect(isBase64Text(text)).toBe(true),
  )

  it.each(['', 'a!', '=', 'YQ==YQ', 'Y===', '\u0000'])('is not %j', (text) =>
    expect(isBase64Text(text)).toBe(false),
  )

  it('is told from half a mebibyte of white space in a moment', () => {
    const startedAt = performance.now()
    expect(isBase64Text(`${' '.repeat(512 * 1024)}!`)).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(500)
  })
})
