import type { Request } from 'express'
import type { z } from 'zod'

/** How an operation responds with a table to a client that accepts `text/csv`. */
export interface CsvRule<Result = unknown> {
  /** The schema of a row: its fields are the columns. Lists and `object` are left out. */
  row: z.ZodObject
  /** Takes the rows from the response; by default they are its `data`. A method, as in `AuditRule`. */
  rows?(this: void, response: Result): readonly object[]
}

/** True if the client prefers CSV to JSON. One that accepts anything gets JSON. */
export const prefersCsv = (request: Request): boolean =>
  request.accepts(['application/json', 'text/csv']) === 'text/csv'

/** Writes rows as CSV (RFC 4180), with a line of names first. */
export function csvOf({ row, rows = dataOf }: CsvRule, response: object): string {
  const columns = Object.keys(row.shape).filter((name) => name !== 'object')
  const lines = rows(response).map((one) => {
    const values = new Map(Object.entries(one))
    return columns.map((name) => cellOf(values.get(name)))
  })
  return [columns, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('')
}

const dataOf = (response: unknown): readonly object[] => {
  const { data }: { data?: readonly object[] } = Object(response)
  return data ?? []
}

/** Spreadsheets run a text that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/

function cellOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return ''
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
