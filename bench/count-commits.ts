import type { Database } from '../db/database.ts'

/**
 * A query of how many transactions of a server have written, in all its databases: those that only read cost no commit. Two counts differ by
 * what was written between them.
 */
export const COMMITS = 'select pg_snapshot_xmax(pg_current_snapshot())::text::float8 as count'

export async function countCommits(db: Database): Promise<number> {
  const [row] = await db.em.fork().execute<{ count: number }[]>(COMMITS)
  return row?.count ?? Number.NaN
}
