import { sql, type Expression } from 'kysely'
import { STREAM_LEASE_MS } from '../../domain/playback/concurrent-plays.ts'

// All leases of a viewer are in one row. A statement that finds the row locked waits, and then computes the
// leases from what the other one has committed, although its snapshot is older: PostgreSQL does that only for
// the row that an `on conflict do update` changes (its documentation, "Read Committed Isolation Level"). With a
// row for each lease, two statements could each count without the other's.

export const NOW_MS = `(extract(epoch from now()) * 1000)::float8`

/** Expressions for what a session's token says. */
export type SessionRefs = Record<
  'videoId' | 'accountId' | 'viewerId' | 'secretVersion' | 'startedMs' | 'isMember',
  string
>

/** Condition on account `a` that its limit is for a session: of a viewer who is verified and no member. */
export const isLimited = ({
  viewerId,
  isMember,
}: Pick<SessionRefs, 'viewerId' | 'isMember'>): string =>
  `(a.plays_limit is not null and ${viewerId} is not null and not ${isMember})`

/** The same for the session in $1 to $9. */
export const IS_LIMITED = isLimited({ viewerId: '$4::text', isMember: '$9::boolean' })

/**
 * Condition on account `a`, beside `leaseQuery`: the session has a lease or needs none. Reading it locks the leases
 * before the session's own row, in every statement.
 */
export const HOLDS_LEASE = `(not ${IS_LIMITED} or exists (select from lease where admitted))`

/** Whose lease it is. */
export interface LeaseHolder {
  accountId: number
  /** Null for a session without a lease. */
  viewerId: string | null
  sessionId: string
}

/**
 * True if the viewer is limited and the session, which is not of a member, has no live lease. It is then over the
 * limit if it has asked for one.
 */
export const lacksLease = ({
  accountId,
  viewerId,
  sessionId,
}: Record<keyof LeaseHolder, Expression<unknown>>) =>
  sql<boolean>`(
    ${viewerId}::text is not null
    and exists (select from account w where w.id = ${accountId} and w.plays_limit is not null)
    and not exists (
      select from stream_lease l, jsonb_array_elements(l.leases) as e (lease)
      where l.account_id = ${accountId} and l.viewer_id = ${viewerId}::text
        and e.lease->>'session' = ${sessionId}::text
        and (e.lease->>'renewed')::float8 > ${sql.raw(NOW_MS)} - ${sql.raw(String(STREAM_LEASE_MS))}))`
