import type { QueryResultRow } from 'pg'
import type { Database } from './database.ts'

/** A statement that every connection prepares once, under its name; its parameters are $1, $2 and so on. */
export interface Statement {
  name: string
  text: string
}

/**
 * Runs one statement outside any transaction and resolves to its rows. It bypasses MikroORM, which costs more
 * than the statement itself for the few statements that every API call or player request waits for (measured).
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
