import type { EntityManager } from '../../db/database.ts'
import {
  DOMAIN_REFUSED,
  isDomainRefusalRecorded,
  lockDomainRefusals,
  type DomainRefusal,
} from '../../db/playback/security-events.ts'
import { recordSecurityEvent } from './record-security-event.ts'

/**
 * Records that an account's domain rules refused a site, as a `domain_refused` security event.
 * Records at most one an hour for each account, host and reason, and `DOMAIN_REFUSALS_PER_HOUR` an hour
 * for each account, over all processes. A flood of refused requests then costs one index look-up for
 * each request. Returns whether the refusal was recorded.
 */
export async function recordDomainRefusal(
  em: EntityManager,
  refusal: DomainRefusal & { videoId: string },
): Promise<boolean> {
  if (await isDomainRefusalRecorded(em, refusal)) return false
  return em.transactional(async (tx) => {
    await lockDomainRefusals(tx, refusal.accountId)
    if (await isDomainRefusalRecorded(tx, refusal)) return false
    const { accountId, videoId, reason, host } = refusal
    await recordSecurityEvent(tx, {
      accountId,
      videoId,
      viewerId: null,
      eventType: DOMAIN_REFUSED,
      severity: reason === 'domain_blocked' ? 'medium' : 'low',
      details: { reason, host },
    })
    return true
  })
}
