import type { EntityName } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { EntityManager } from './database.ts'

/** Where a page begins and how long it is; at most one of the cursors. */
export interface PageRequest<Cursor> {
  limit: number
  /** Only what is older than this. */
  startingAfter?: Cursor | undefined
  /** Only what is newer than this. */
  endingBefore?: Cursor | undefined
}

/** One page, newest first. */
export interface Page<Row> {
  rows: Row[]
  /** Whether there is more in the direction of travel. */
  hasMore: boolean
}

/** One read of a page: what lies beyond `cursor` in `direction`, nearest first. */
export interface PageRead<Cursor> {
  direction: 'older' | 'newer'
  cursor: Cursor | undefined
  limit: number
}

/** Reads one page with `find`, which is asked for one row more than the page has. */
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

/** False where the page is to begin at a row that is none of the account's (any more). */
export async function hasCursor(
  em: EntityManager,
  entity: EntityName<{ id: number; accountId: number }>,
  accountId: number,
  { startingAfter, endingBefore }: PageRequest<number>,
): Promise<boolean> {
  const id = startingAfter ?? endingBefore
  return id === undefined || (await em.count(entity, { id, accountId })) > 0
}

/** The condition and the order of a page over integer ids. */
export const byId = ({ direction, cursor }: PageRead<number>) => ({
  where:
    cursor === undefined ? {} : { id: direction === 'older' ? { $lt: cursor } : { $gt: cursor } },
  orderBy: { id: direction === 'older' ? 'desc' : 'asc' } as const,
})

/** The entries of a filter that were given. */
export const given = <T extends object>(filter: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

/** How rows beyond a cursor compare with it, and the order in which they are read. */
export const sqlDirection = (direction: PageRead<unknown>['direction']) =>
  direction === 'older'
    ? { beyond: sql`<`, order: 'desc' as const }
    : { beyond: sql`>`, order: 'asc' as const }
