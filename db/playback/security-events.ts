import { raw } from '@mikro-orm/core'
import { sql } from 'kysely'
import { DOMAIN_REFUSALS_PER_HOUR } from '../../domain/limits.ts'
import type { EntityManager } from '../database.ts'
import { SecurityEvent } from '../entities/event.ts'
import { byId, findPage, given, type Page, type PageRequest } from '../page.ts'
import { queries } from '../queries.ts'

export interface SecurityEventFilter {
  accountId: number
  eventType?: string | undefined
  videoId?: string | undefined
  viewerId?: string | undefined
}

/** A page of the account's security events, newest first. */
export function listSecurityEvents(
  em: EntityManager,
  filter: SecurityEventFilter,
  request: PageRequest<number>,
): Promise<Page<SecurityEvent>> {
  return findPage(request, (read) => {
    const { where, orderBy } = byId(read)
    const createdAt = { $gte: raw(`kept_since('security_event')`) }
    const matching = { ...given(filter), ...where, createdAt }
    return em.find(SecurityEvent, matching, { orderBy, limit: read.limit })
  })
}

/** The `event_type` of the security events that record refused sites. */
export const DOMAIN_REFUSED = 'domain_refused'

/** A site that an account's domain rules refused. */
export interface DomainRefusal {
  accountId: number
  /** Normalised; null when the request named no host. */
  host: string | null
  reason: 'no_referrer' | 'domain_blocked' | 'domain_not_allowed'
}

/**
 * True when the last hour has a security event of this refusal already, or the account's maximum of
 * recorded refusals. A partial index contains only these events.
 */
export async function isDomainRefusalRecorded(
  em: EntityManager,
  { accountId, host, reason }: DomainRefusal,
): Promise<boolean> {
  const isSame = sql<boolean>`details->>'reason' = ${reason}
    and details->>'host' is not distinct from ${host}::text`
  const { count, isRecorded } = await queries(em)
    .selectFrom('security_event')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sql<boolean>`coalesce(bool_or(${isSame}), false)`.as('isRecorded'),
    ])
    .where('accountId', '=', accountId)
    // Literal, so that every plan can use the partial index of these events.
    .where('eventType', '=', sql.lit(DOMAIN_REFUSED))
    .where('createdAt', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  return isRecorded || count >= DOMAIN_REFUSALS_PER_HOUR
}

const LOCK_CLASS = 7_201_956

/** Serialises the decisions about an account's domain refusals until the transaction ends. */
export async function lockDomainRefusals(em: EntityManager, accountId: number): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(?, ?)', [LOCK_CLASS, accountId])
}
