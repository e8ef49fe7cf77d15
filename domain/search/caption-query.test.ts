import { describe, expect, it } from 'vitest'
import { parseCaptionQuery, requiredTexts, webSearchText } from './caption-query.ts'

const webSearch = (text: string) => webSearchText(parseCaptionQuery(text), true)

describe('a search in captions', () => {
  it.each([
    ['Light  energy', '"light" "energy"'],
    ['"turned into" energy', '"turned into" "energy"'],
    ['"never closed', '"never closed"'],
    ['cell -battery', '"cell" -"battery"'],
    ['cell -"dry battery"', '"cell" -"dry battery"'],
    ['state-of-the-art', '"state of the art"'],
    ['cell OR Zelle', '"cell" or "zelle"'],
    ['cell or zelle', '"cell" "or" "zelle"'],
    ['机器学习', '"机器 器学 学习"'],
    ['a" | !b & c:*', '"a" "b" "c"'],
    ['  - -- " ', ''],
    ['-battery', ''],
    ['-battery OR cell', '"cell"'],
    ['OR', ''],
  ])('of %j is %j', (text, expected) => {
    expect(webSearch(text)).toBe(expected)
  })

  it('requires what it does not exclude', () => {
    expect(requiredTexts(parseCaptionQuery('a "b c" -d OR e'))).toEqual(['a', 'b c', 'e'])
  })
})
