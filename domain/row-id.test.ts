import { describe, expect, it } from 'vitest'
import { parseIntegerId, parseRowId } from './row-id.ts'

describe('a row id', () => {
  it.each([
    ['1', 1],
    ['2147483647', 2_147_483_647],
    ['2147483648', 2_147_483_648],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740992', null],
    ['9007199254740993', null],
    ['1'.repeat(400), null],
    ['0', null],
    ['-1', null],
    ['01', null],
    ['1.5', null],
    ['1e3', null],
    [' 1', null],
    ['', null],
  ])('is a positive integer up to 2^53 - 1 in canonical form: %j is %j', (text, expected) => {
    expect(parseRowId(text)).toBe(expected)
  })

  it('of an account or an API key has at most 32 bits', () => {
    const texts = ['2147483647', '2147483648', '9007199254740991', '0', '']
    expect(texts.map(parseIntegerId)).toEqual([2_147_483_647, null, null, null, null])
  })
})
