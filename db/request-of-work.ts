import type { Database, EntityManager } from './database.ts'

/**
 * An EntityManager for the work of one request. It carries the request's id, also into its
 * transactions, and what is appended through it is recorded with that id (ADR 0019).
 */
export const forkForRequest = (db: Database, requestId: string): EntityManager =>
  db.em.fork({ loggerContext: { requestId } })

/** The id of the request that an EntityManager works for; null where it works for none. */
export function requestOf(em: EntityManager): string | null {
  const { requestId } = em.getLoggerContext<{ requestId?: unknown }>()
  return typeof requestId === 'string' ? requestId : null
}
