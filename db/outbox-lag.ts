import type { EntityManager } from './database.ts'

/** For how long the oldest command has waited for Temporal, in seconds; null where none waits. */
export async function readOutboxLag(em: EntityManager): Promise<number | null> {
  const [row] = await em.execute<{ seconds: number }[]>(
    `select extract(epoch from now() - created_at)::float8 as seconds
     from outbox order by id limit 1`,
  )
  return row?.seconds ?? null
}
