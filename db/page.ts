import { sql } from 'kysely'

/** The start and the length of a page; at most one of the cursors is given. */
export interface PageRequest<Cursor> {
  limit: number
  /** Only rows older than this one. */
  startingAfter?: Cursor | undefined
  /** Only rows newer than this one. */
  endingBefore?: Cursor | undefined
}

/** One page, newest first. */
export interface Page<Row> {
  rows: Row[]
  /** Whether more rows follow in the direction of reading. */
  hasMore: boolean
}

/** One read of a page: the rows beyond `cursor` in `direction`, nearest first. */
export interface PageRead<Cursor> {
  direction: 'older' | 'newer'
  cursor: Cursor | undefined
  limit: number
}

/** Reads one page with `find`, which gets a limit of one row more than the page has. */
export async function findPage<Row, Cursor>(
  { limit, startingAfter, endingBefore }: PageRequest<Cursor>,
  find: (read: PageRead<Cursor>) => Promise<Row[]>,
): Promise<Page<Row>> {
  const direction = endingBefore === undefined ? 'older' : 'newer'
  const found = await find({ direction, cursor: endingBefore ?? startingAfter, limit: limit + 1 })
  const rows = found.slice(0, limit)
  if (direction === 'newer') rows.reverse()
  return { rows, hasMore: found.length > limit }
}

/**
 * Ends a page before the row with which its rows, from the cursor on, have more than `maxBytes` together. It keeps one row at
 * least; the others are on the next page.
 */
export function boundPage<Row>(
  page: Page<Row>,
  { endingBefore }: Pick<PageRequest<unknown>, 'endingBefore'>,
  maxBytes: number,
  bytesOf: (row: Row) => number,
): Page<Row> {
  const isOlder = endingBefore === undefined
  const nearest = isOlder ? page.rows : page.rows.toReversed()
  let bytes = 0
  const end = nearest.findIndex((row, index) => (bytes += bytesOf(row)) > maxBytes && index > 0)
  if (end === -1) return page
  const rows = nearest.slice(0, end)
  return { rows: isOlder ? rows : rows.reverse(), hasMore: true }
}

/** The condition and the order of a page by integer id. The cursor is a position: no row needs to have it. */
export const byId = ({ direction, cursor }: PageRead<number>) => ({
  where:
    cursor === undefined ? {} : { id: direction === 'older' ? { $lt: cursor } : { $gt: cursor } },
  orderBy: { id: direction === 'older' ? 'desc' : 'asc' } as const,
})

/** The defined properties of an object. */
export const given = <T extends object>(filter: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

/**
 * The condition of a page of `table`, named `alias` in the query, by time of creation, then id. A cursor without a row
 * of the account takes the time of the row of the account that precedes it, so it says nothing of another account.
 */
export function isBeyondInTime(
  [table, alias]: ['security_event' | 'webhook_delivery', string],
  accountId: number,
  { direction, cursor }: { direction: PageRead<number>['direction']; cursor: number },
) {
  const createdAt = sql`select c.created_at from ${sql.table(table)} c
    where c.account_id = ${accountId} and c.id <= ${cursor} order by c.id desc limit 1`
  return sql<boolean>`(${sql.ref(`${alias}.createdAt`)}, ${sql.ref(`${alias}.id`)})
    ${sqlDirection(direction).beyond} (coalesce((${createdAt}), '-infinity'), ${cursor}::bigint)`
}

/** How rows beyond a cursor compare with it, and the order in which they are read. */
export const sqlDirection = (direction: PageRead<unknown>['direction']) =>
  direction === 'older'
    ? { beyond: sql`<`, order: 'desc' as const }
    : { beyond: sql`>`, order: 'asc' as const }
