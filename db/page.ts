import type { EntityName } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { EntityManager } from './database.ts'

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

/** The row at which a page starts; undefined for the first page. */
export const cursorOf = <Cursor>({
  startingAfter,
  endingBefore,
}: PageRequest<Cursor>): Cursor | undefined => startingAfter ?? endingBefore

/** False if the page starts at a row that does not exist or is not the account's. */
export async function hasCursor(
  em: EntityManager,
  entity: EntityName<{ id: number; accountId: number | null }>,
  accountId: number,
  request: PageRequest<number>,
): Promise<boolean> {
  const id = cursorOf(request)
  return id === undefined || (await em.count(entity, { id, accountId })) > 0
}

/** The condition and the order of a page by integer id. */
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

/** How rows beyond a cursor compare with it, and the order in which they are read. */
export const sqlDirection = (direction: PageRead<unknown>['direction']) =>
  direction === 'older'
    ? { beyond: sql`<`, order: 'desc' as const }
    : { beyond: sql`>`, order: 'asc' as const }
