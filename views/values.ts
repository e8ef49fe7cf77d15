import { z } from 'zod'
import { failureList, type FailureTable } from '../domain/failure-table.ts'
import { isoUtc } from '../domain/timestamps.ts'

/** The integer id of a row. */
export const rowId = z.int().min(1).meta({ format: 'int64' })

/** The form of every time in a response or an event, as `isoUtc` writes it. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/

/** A time in a response or an event: ISO 8601 in UTC, with the offset `+00:00`. */
export const timestamp = (description: string) =>
  z
    .string()
    .regex(TIMESTAMP)
    .meta({ format: 'date-time', description, example: '2026-11-21T09:30:00.000+00:00' })

/** A calendar day in a response. */
export const day = z.iso.date().meta({ description: 'A day in UTC.', example: '2026-11-21' })

/** A column that may be null, as a timestamp. */
export const isoUtcOrNull = (date: Date | null): string | null => date && isoUtc(date)

/**
 * A text whose values are codes, of which a later release may have more: clients that generators write must accept
 * those too, so that the document says a string and lists the known codes in `x-extensible-enum`.
 */
export const openEnum = (codes: readonly string[], description: string) =>
  z.string().meta({ description, 'x-extensible-enum': [...codes] })

/** The codes of a table of failures, with their causes and remedies. */
export const openEnumOf = (table: FailureTable, description: string) =>
  openEnum(
    Object.keys(table),
    `${description} A later release may have more codes.\n\n${failureList(table)}`,
  )

interface Bounds {
  jsonSchema: { minimum?: number; maximum?: number }
}

/** Removes the bounds of JavaScript's integers, which mean nothing to readers of a schema. */
export function withoutSafeBounds({ jsonSchema }: Bounds): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
