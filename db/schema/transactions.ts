import type { ClientBase, Pool } from 'pg'

/** Runs one statement, with `$1`, `$2` and so on; resolves to its rows. */
export type Run = <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>

export const runOn =
  (client: ClientBase | Pool): Run =>
  async <Row extends object>(sql: string, values?: unknown[]) =>
    (await client.query<Row & Record<string, unknown>>(sql, values)).rows

/** Returns whether the database has the table. */
export async function tableExists(run: Run, table: string): Promise<boolean> {
  const rows = await run('select where to_regclass($1) is not null', [table])
  return rows.length > 0
}

/** Runs `work` in a transaction whose statements wait for a lock no longer than `lockTimeout`, such as `2s`. */
export async function inTransaction<T>(
  client: ClientBase,
  lockTimeout: string,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '${lockTimeout}'`)
    const result = await work(runOn(client))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
