import { describe, expect, it } from 'vitest'
import { HAS_EVERY_CASE, runs, someOf } from './every-case.ts'

const CASES = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

describe('the cases of a long test', () => {
  it.runIf(HAS_EVERY_CASE)('are all taken by npm run verify:all', () => {
    expect(someOf(CASES, 3)).toEqual(CASES)
    expect(runs(2, 20)).toEqual({ numRuns: 20 })
  })

  it.skipIf(HAS_EVERY_CASE)('are a share of them, with the first, in npm test', () => {
    expect(someOf(CASES, 3)).toEqual(['a', 'd', 'g'])
    expect(someOf(CASES, CASES.length)).toEqual(['a'])
    expect(runs(2, 20)).toEqual({ numRuns: 2 })
  })
})
