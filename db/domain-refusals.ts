import { DOMAIN_REFUSALS_PER_HOUR } from '../domain/limits.ts'
import type { EntityManager } from './database.ts'

/** The `event_type` of these security events. */
export const DOMAIN_REFUSED = 'domain_refused'

/** A site that an account's domain rules refused. */
export interface DomainRefusal {
  accountId: number
  /** Normalised; null where the request named none. */
  host: string | null
  reason: 'no_referrer' | 'domain_blocked' | 'domain_not_allowed'
}

/**
 * True where the last hour has a security event of this refusal already, or as many of the account as
 * it may have. The last hour's are few, and they have an index of their own.
 */
export async function isDomainRefusalTold(
  em: EntityManager,
  { accountId, host, reason }: DomainRefusal,
): Promise<boolean> {
  const [row] = await em.execute<{ is_told: boolean }[]>(
    `select count(*) >= ? or coalesce(
       bool_or(details->>'reason' = ? and details->>'host' is not distinct from ?::text), false
     ) as is_told
     from security_event
     where account_id = ? and event_type = '${DOMAIN_REFUSED}' and created_at > now() - interval '1 hour'`,
    [DOMAIN_REFUSALS_PER_HOUR, reason, host, accountId],
  )
  return row?.is_told ?? false
}

const LOCK_CLASS = 7_201_956

/** Lets one process at a time decide about an account's domain refusals, until the transaction ends. */
export async function lockDomainRefusals(em: EntityManager, accountId: number): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(?, ?)', [LOCK_CLASS, accountId])
}
