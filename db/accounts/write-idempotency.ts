import { sql } from 'kysely'
import { IDEMPOTENCY_KEPT_MS } from '../../domain/limits.ts'
import type { EntityManager } from '../database.ts'
import { IdempotencyRecord } from '../entities/account.ts'
import { queries } from '../queries.ts'

/** Where a key counts: one account, one route. */
export interface IdempotencyScope {
  accountId: number
  route: string
  key: string
}

export type Claim =
  | { outcome: 'claimed'; lockedUntil: Date }
  | { outcome: 'in_use' }
  | { outcome: 'other_body' }
  | { outcome: 'completed'; status: number; sealedResponse: string; etag: string | null }

/**
 * A request without a response after this time counts as failed, and a repeat may take over its key.
 * The longest requests fetch and check a caption, which takes 25 seconds at most.
 */
const LOCK_MS = 60_000

/** Claims a key for one request, or returns the outcome of the request that used it before. */
export async function claimKey(
  em: EntityManager,
  scope: IdempotencyScope,
  fingerprint: string,
): Promise<Claim> {
  const lockedUntil = await insertClaim(em, scope, fingerprint)
  if (lockedUntil) return { outcome: 'claimed', lockedUntil }
  const { accountId, route, key } = scope
  const record = await em.findOne(IdempotencyRecord, { accountId, route, key })
  // Released between the two statements: the caller may try again.
  if (!record) return { outcome: 'in_use' }
  if (record.fingerprint !== fingerprint) return { outcome: 'other_body' }
  if (record.responseStatus === null || record.sealedResponse === null) return { outcome: 'in_use' }
  return {
    outcome: 'completed',
    status: record.responseStatus,
    sealedResponse: record.sealedResponse,
    etag: record.etag,
  }
}

/** Times are those of the database: the clocks of processes differ, and are set. A `Date` has no microseconds. */
const LOCKED_UNTIL = sql<Date>`date_trunc('milliseconds', now() + ${LOCK_MS} * interval '1 ms')`
const EXPIRED = sql<Date>`now() - ${IDEMPOTENCY_KEPT_MS} * interval '1 ms'`

/**
 * Inserts a claim, or replaces one that has expired or whose request failed. Returns the end of its lock; null if
 * another request has the key.
 */
async function insertClaim(
  em: EntityManager,
  { accountId, route, key }: IdempotencyScope,
  fingerprint: string,
): Promise<Date | null> {
  const claimed = await queries(em)
    .insertInto('idempotency_record')
    .values({ accountId, route, key, fingerprint, lockedUntil: LOCKED_UNTIL })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'route', 'key'])
        .doUpdateSet({
          fingerprint,
          lockedUntil: LOCKED_UNTIL,
          responseStatus: null,
          sealedResponse: null,
          etag: null,
          createdAt: sql`now()`,
        })
        .where((eb) =>
          eb.or([
            eb('idempotency_record.createdAt', '<', EXPIRED),
            eb.and([
              eb('idempotency_record.responseStatus', 'is', null),
              eb('idempotency_record.lockedUntil', '<', sql<Date>`now()`),
              eb('idempotency_record.fingerprint', '=', fingerprint),
            ]),
          ]),
        ),
    )
    .returning('lockedUntil')
    .executeTakeFirst()
  return claimed?.lockedUntil ?? null
}

/**
 * Stores the response, in the transaction of the work that it reports. Returns false when another
 * request has taken over the key: the transaction must then be rolled back.
 */
export async function storeResponse(
  em: EntityManager,
  { accountId, route, key }: IdempotencyScope,
  lockedUntil: Date,
  { status, sealedResponse, etag }: { status: number; sealedResponse: string; etag: string | null },
): Promise<boolean> {
  const claim = { accountId, route, key, lockedUntil, responseStatus: null }
  const result = { responseStatus: status, sealedResponse, etag }
  return (await em.nativeUpdate(IdempotencyRecord, claim, result)) > 0
}

/** Releases the key of a request that changed nothing, so that a corrected repeat can use it. */
export async function releaseKey(
  em: EntityManager,
  { accountId, route, key }: IdempotencyScope,
  lockedUntil: Date,
): Promise<void> {
  const claim = { accountId, route, key, lockedUntil, responseStatus: null }
  await em.nativeDelete(IdempotencyRecord, claim)
}

/** Deletes up to `limit` expired keys; returns how many. */
export async function deleteExpiredKeys(em: EntityManager, limit: number): Promise<number> {
  const expired = queries(em)
    .selectFrom('idempotency_record')
    .select(sql`ctid`.as('ctid'))
    .where('createdAt', '<', EXPIRED)
    .limit(limit)
    .forUpdate()
    .skipLocked()
  const { numDeletedRows } = await queries(em)
    .deleteFrom('idempotency_record')
    .where(sql<boolean>`ctid = any(array(${expired}))`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
