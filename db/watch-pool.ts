import type { Pool, PoolClient } from 'pg'
import { databaseFaultOf, isReadOnly } from './errors.ts'

/** How long a refusal counts: other statements of the same pool may succeed meanwhile. */
const REMEMBERED_MS = 60_000

const lastRefusals = new WeakMap<Pool, { error: unknown; atMs: number }>()

/**
 * Closes each connection that has refused a write as read-only once it is released, because it stays so after the
 * server takes writes. Remembers refusals that only a changed setting ends, for `lastRefusal`.
 */
export function watchPool(pool: Pool): void {
  const readOnly = new WeakSet<PoolClient>()
  pool.on('connect', (client) => {
    client.connection.on('errorMessage', (error: unknown) => {
      if (isReadOnly(error)) readOnly.add(client)
      if (databaseFaultOf(error) === 'refused')
        lastRefusals.set(pool, { error, atMs: performance.now() })
    })
  })
  pool.on('release', (_error, client) => {
    if (readOnly.has(client)) void client.end()
  })
}

/** The error of a statement of this pool in the last minute that only a changed setting ends; null if there is none. */
export function lastRefusal(pool: Pool): unknown {
  const last = lastRefusals.get(pool)
  return last && performance.now() - last.atMs < REMEMBERED_MS ? last.error : null
}
