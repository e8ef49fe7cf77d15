import type { QueryResultRow } from 'pg'
import type { Database } from './database.ts'

/** A statement that every connection prepares once, under its name, with $1, $2 and so on. */
export interface Statement {
  name: string
  text: string
}

/**
 * Runs one statement outside of any transaction and resolves to its rows. It goes straight to the
 * pool: for the few statements that every call of the API waits for, MikroORM costs more than they do.
 */
export async function runStatement<Row extends object>(
  db: Database,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  const pool = await db.driver.getConnection().getNativeClient()
  const { rows } = await pool.query<Row & QueryResultRow>({ ...statement, values })
  return rows
}
