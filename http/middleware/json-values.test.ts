import { describe, expect, it } from 'vitest'
import { hasMoreValues } from './json-values.ts'

const over = (json: string, max: number) => hasMoreValues(Buffer.from(json), max)

describe('the values of a JSON text', () => {
  it.each([
    ['{"a":1,"b":[2,3]}', 4],
    ['[{},{},{}]', 6],
    ['{"text":"[1,2,{\\"a\\\\\\":3},[[["}', 1],
    ['{"text":"ends with a backslash \\\\","next":[]}', 3],
    ['["no end [[[', 1],
  ])('of %s are counted outside of strings', (json, count) => {
    expect([over(json, count - 1), over(json, count)]).toEqual([true, false])
  })
})
