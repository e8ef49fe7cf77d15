import { describe, expect, it } from 'vitest'
import { csvOf } from './csv.ts'

describe('a CSV file', () => {
  it('quotes what would end a cell', () => {
    expect(csvOf([['a', 'b,c', 'say "x"', 'two\nlines', null, -1.5]])).toBe(
      'a,"b,c","say ""x""","two\nlines",,-1.5\r\n',
    )
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
    'has no cell that a spreadsheet runs as a formula: %j',
    (text) => {
      expect(csvOf([[text]]).replace(/^"/, '')).toMatch(/^'/)
    },
  )
})
