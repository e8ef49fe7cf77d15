import { IDEMPOTENCY_KEPT_MS } from '../domain/limits.ts'
import type { EntityManager } from './database.ts'
import { IdempotencyRecord } from './entities/account.ts'

/** Scope of a key: one account, one route. */
export interface IdempotencyScope {
  accountId: number
  route: string
  key: string
}

export type Claim =
  | { outcome: 'claimed'; lockedUntil: Date }
  | { outcome: 'in_use' }
  | { outcome: 'other_body' }
  | { outcome: 'answered'; status: number; sealedResponse: string }

/**
 * A request that has not answered within this time has died, and its key may be taken over: the
 * longest ones fetch a caption and judge it, in 25 seconds at most.
 */
const LOCK_MS = 60_000

/** Claims a key for one request, or tells what became of the request that used it before. */
export async function claimKey(
  em: EntityManager,
  scope: IdempotencyScope,
  fingerprint: string,
): Promise<Claim> {
  const { accountId, route, key } = scope
  const lockedUntil = new Date(Date.now() + LOCK_MS)
  const expired = new Date(Date.now() - IDEMPOTENCY_KEPT_MS)
  const claimed = await em.execute<unknown[]>(
    `insert into idempotency_record as old (account_id, route, key, fingerprint, locked_until)
     values (?, ?, ?, ?, ?)
     on conflict (account_id, route, key) do update
       set fingerprint = excluded.fingerprint, locked_until = excluded.locked_until,
           response_status = null, sealed_response = null, created_at = now()
       where old.created_at < ?
          or (old.response_status is null and old.locked_until < now()
              and old.fingerprint = excluded.fingerprint)
     returning 1`,
    [accountId, route, key, fingerprint, lockedUntil, expired],
  )
  if (claimed.length > 0) return { outcome: 'claimed', lockedUntil }
  const record = await em.findOne(IdempotencyRecord, { accountId, route, key })
  // Released between the two statements: the caller may simply try again.
  if (!record) return { outcome: 'in_use' }
  if (record.fingerprint !== fingerprint) return { outcome: 'other_body' }
  if (record.responseStatus === null || record.sealedResponse === null) return { outcome: 'in_use' }
  return {
    outcome: 'answered',
    status: record.responseStatus,
    sealedResponse: record.sealedResponse,
  }
}

/**
 * Keeps the answer, in the transaction of the work that it tells of. False where another request has
 * taken the key over meanwhile: the transaction must then be rolled back.
 */
export async function storeAnswer(
  em: EntityManager,
  { accountId, route, key }: IdempotencyScope,
  lockedUntil: Date,
  answer: { status: number; sealedResponse: string },
): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `update idempotency_record set response_status = ?, sealed_response = ?
     where account_id = ? and route = ? and key = ? and locked_until = ?
       and response_status is null
     returning 1`,
    [answer.status, answer.sealedResponse, accountId, route, key, lockedUntil],
  )
  return rows.length > 0
}

/** Gives a key back whose request came to nothing, so that a corrected repeat can use it. */
export async function releaseKey(
  em: EntityManager,
  { accountId, route, key }: IdempotencyScope,
  lockedUntil: Date,
): Promise<void> {
  await em.execute(
    `delete from idempotency_record
     where account_id = ? and route = ? and key = ? and locked_until = ?
       and response_status is null`,
    [accountId, route, key, lockedUntil],
  )
}

/** Deletes up to `limit` keys whose time is over; returns how many. */
export async function deleteExpiredKeys(em: EntityManager, limit: number): Promise<number> {
  const expired = new Date(Date.now() - IDEMPOTENCY_KEPT_MS)
  const rows = await em.execute<unknown[]>(
    `delete from idempotency_record where ctid = any(array(
       select ctid from idempotency_record where created_at < ? limit ? for update skip locked))
     returning 1`,
    [expired, limit],
  )
  return rows.length
}
