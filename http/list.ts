import { z } from 'zod'
import type { Page, PageRequest } from '../db/page.ts'
import type { ErrorCode } from '../domain/error-codes.ts'
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../domain/limits.ts'
import { INTEGER_MAX } from '../domain/row-id.ts'
import { listView } from '../views/list.ts'
import { rowId } from '../views/values.ts'
import { ApiError } from './api-error.ts'
import type { PathParameter } from './operation.ts'

/** A whole number in a path or a query, which carry only text. */
export const numberAsText = <T extends z.ZodType<number, number>>(schema: T, meta: object) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number)
    .pipe(schema)
    .meta({ type: 'integer', pattern: undefined, ...meta })

const rowIdMeta = { format: 'int64', minimum: 1 }

/** A row id in a query. */
export const rowIdInQuery = numberAsText(rowId, rowIdMeta)

/** The id of an API key in a query. */
export const keyIdInQuery = numberAsText(rowId.max(INTEGER_MAX), rowIdMeta)

/** An id in a path; text that cannot be one gets `notFound`. */
const idParameter =
  (id: z.ZodType<number, string>) =>
  (notFound: ErrorCode): PathParameter<number> => ({
    schema: z
      .string()
      .regex(/^[1-9]/)
      .pipe(id)
      .meta({ type: 'integer', pattern: undefined, ...rowIdMeta }),
    notFound,
  })

/** A row id in a path. */
export const rowIdParameter = idParameter(rowIdInQuery)

/** The id of an API key in a path. */
export const keyIdParameter = idParameter(keyIdInQuery)

/** How many items a list has at most. */
export const limitInQuery = numberAsText(z.int().min(1).max(LIST_LIMIT_MAX), {
  minimum: 1,
  maximum: LIST_LIMIT_MAX,
  default: LIST_LIMIT_DEFAULT,
  description: 'The maximum number of items.',
}).default(LIST_LIMIT_DEFAULT)

const CURSORS = {
  starting_after: 'The last id of the previous page; returns older items.',
  ending_before: 'The first id of the next page; returns newer items.',
}

/** The query of a list: `limit`, one of the two cursors, and `filters`. */
export function listQuery<C extends z.ZodType, F extends z.ZodRawShape>(
  cursor: C,
  filters: F,
  descriptions = CURSORS,
) {
  return z
    .strictObject({
      ...filters,
      limit: limitInQuery,
      starting_after: cursor.optional().meta({ description: descriptions.starting_after }),
      ending_before: cursor.optional().meta({ description: descriptions.ending_before }),
    })
    .refine((query) => !('starting_after' in query && 'ending_before' in query), {
      path: ['ending_before'],
      message: 'cannot be combined with `starting_after`',
    })
}

/** The page that the query of a list requests. */
export const toPage = <C>(query: {
  limit: number
  starting_after?: C | undefined
  ending_before?: C | undefined
}): PageRequest<C> => ({
  limit: query.limit,
  startingAfter: query.starting_after,
  endingBefore: query.ending_before,
})

/**
 * The response of a list whose ids do not say their order. Throws 422 `invalid_parameter` if `page` is null: its cursor is
 * not the id of a `noun` of the account.
 */
export function listResponse<Row, Item>(
  page: Page<Row> | null,
  query: { starting_after?: unknown },
  { noun, view, url }: { noun: string; view: (row: Row) => Item; url: string },
) {
  if (!page) throw unknownCursor(query, noun)
  return listView(page, view, url)
}

/** The error for a cursor that says no position: it is not an id of the account. */
export const unknownCursor = (query: { starting_after?: unknown }, what: string) =>
  new ApiError('invalid_parameter', {
    param: query.starting_after === undefined ? 'ending_before' : 'starting_after',
    message: `This account has no ${what} with the id in the cursor.`,
  })
