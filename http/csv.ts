import type { Request } from 'express'
import type { z } from 'zod'
import { csvOf } from '../domain/csv.ts'

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

/** Writes the rows of a response as CSV, with a line of names first. */
export function tableOf({ row, rows = dataOf }: CsvRule, response: object): string {
  const columns = Object.keys(row.shape).filter((name) => name !== 'object')
  const lines = rows(response).map((one) => {
    const values = new Map<string, unknown>(Object.entries(one))
    return columns.map((name) => valueOf(values.get(name)))
  })
  return csvOf([columns, ...lines])
}

const dataOf = (response: unknown): readonly object[] => {
  const { data }: { data?: readonly object[] } = Object(response)
  return data ?? []
}

/** Lists and objects have no place in a cell. */
const valueOf = (value: unknown): string | number | boolean | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null
