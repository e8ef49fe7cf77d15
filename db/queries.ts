import type { EntityManager, InferKyselyDB } from '@mikro-orm/postgresql'
import { CamelCasePlugin, sql, type Kysely, type RawBuilder } from 'kysely'
import type { QueryResultRow } from 'pg'
import type { Database } from './database.ts'
import type { ENTITIES } from './entities.ts'
import { repeatCollisions } from './repeating-entity-manager.ts'

/** Every table with its columns, as the entities declare them and under the names of their properties. */
export type Tables = InferKyselyDB<(typeof ENTITIES)[number], { columnNamingStrategy: 'property' }>

const PROPERTY_NAMES = new CamelCasePlugin({ maintainNestedObjectKeys: true })

/**
 * Typed queries through `em`: in its transaction while it has one, on the same pool otherwise. Columns and
 * aliases are in camelCase here and in snake_case in PostgreSQL; text inside `sql` is sent as it is.
 */
export const queries = (em: EntityManager): Kysely<Tables> =>
  em.getKysely<Tables>().withPlugin(PROPERTY_NAMES)

/** A value as JSON, for a column of type `jsonb`. */
export const asJson = <T>(value: T) => sql<T>`${JSON.stringify(value)}::jsonb`

/** The time so many days before now, by the clock of PostgreSQL. */
export const daysAgo = (days: number) => sql<Date>`now() - ${days}::int * interval '1 day'`

/** The time from which rows of a partitioned table are shown; older ones wait for the drop of their partition (ADR 0058). */
export const keptSince = (table: string) => sql<Date>`kept_since(${sql.lit(table)})`

/** Executes a statement that writes; returns how many rows it has changed. */
export async function countAffected(
  em: EntityManager,
  statement: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows } = await statement.execute(queries(em))
  return Number(numAffectedRows ?? 0)
}

/** The row of a query that always returns one. Throws when it returned none. */
export function exactlyOne<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Error('the query returned no row')
  return row
}

/** A statement that every connection prepares once, under its name; its parameters are $1, $2 and so on. */
export interface Statement {
  name: string
  text: string
}

/**
 * Runs one statement outside any transaction, again after a collision, and resolves to its rows. It bypasses MikroORM, which costs more
 * than the statement itself for the few statements that every API call or player request waits for (measured).
 */
export async function runStatement<Row extends object>(
  db: Database,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  const pool = await db.driver.getConnection().getNativeClient()
  return repeatCollisions(async () => {
    const { rows } = await pool.query<Row & QueryResultRow>({ ...statement, values })
    return rows
  })
}
