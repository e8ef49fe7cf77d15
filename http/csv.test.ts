import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { tableOf } from './csv.ts'

const row = z.strictObject({ object: z.string(), name: z.string(), count: z.number().nullable() })
const csv = (...data: object[]) => tableOf({ row }, { data })

describe('a response as CSV', () => {
  it('has the fields of the rows as columns, also without rows', () => {
    expect(csv()).toBe('name,count\r\n')
    expect(csv({ object: 'x', name: 'a', count: -2.5 }, { name: 'b', count: null })).toBe(
      'name,count\r\na,-2.5\r\nb,\r\n',
    )
  })

  it('quotes what would end a field, and shows what a spreadsheet would run', () => {
    expect(csv({ name: 'a "b",\nc', count: 1 })).toBe('name,count\r\n"a ""b"",\nc",1\r\n')
    for (const formula of ['=1+1', '+1', '-1', '@A1', '\t=1'])
      expect(csv({ name: formula, count: 1 })).toBe(`name,count\r\n'${formula},1\r\n`)
  })
})
