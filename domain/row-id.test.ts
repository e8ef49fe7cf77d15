import { describe, expect, it } from 'vitest'
import { parseRowId } from './row-id.ts'

describe('a row id', () => {
  it.each([
    ['1', 1],
    ['2147483647', 2_147_483_647],
    ['2147483648', null],
    ['9999999999', null],
    ['0', null],
    ['-1', null],
    ['01', null],
    ['1.5', null],
    ['1e3', null],
    [' 1', null],
    ['', null],
  ])('is a positive 32-bit integer in canonical form: %j is %j', (text, expected) => {
    expect(parseRowId(text)).toBe(expected)
  })
})
