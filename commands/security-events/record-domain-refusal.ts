import type { EntityManager } from '../../db/database.ts'
import {
  DOMAIN_REFUSED,
  isDomainRefusalTold,
  lockDomainRefusals,
} from '../../db/domain-refusals.ts'
import type { DomainRefusal } from '../../db/domain-refusals.ts'
import { recordSecurityEvent } from './record-security-event.ts'

/**
 * Records that a site was refused, as a `domain_refused` security event: once an hour for each
 * account, host and reason, over all processes, and no more than `DOMAIN_REFUSALS_PER_HOUR` of an
 * account. A flood of refused requests costs a look at an index each. Returns whether it was recorded.
 */
export async function recordDomainRefusal(
  em: EntityManager,
  refusal: DomainRefusal & { videoId: string },
): Promise<boolean> {
  if (await isDomainRefusalTold(em, refusal)) return false
  return em.transactional(async (tx) => {
    await lockDomainRefusals(tx, refusal.accountId)
    if (await isDomainRefusalTold(tx, refusal)) return false
    const { accountId, videoId, reason, host } = refusal
    await recordSecurityEvent(tx, {
      ...{ accountId, videoId, viewerId: null, eventType: DOMAIN_REFUSED },
      severity: reason === 'domain_blocked' ? 'medium' : 'low',
      details: { reason, host },
    })
    return true
  })
}
