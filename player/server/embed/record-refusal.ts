import { recordDomainRefusal } from '../../../commands/security-events/record-domain-refusal.ts'
import { recordSecurityEvent } from '../../../commands/security-events/record-security-event.ts'
import type { Database } from '../../../db/database.ts'
import type { PlaybackFacts } from '../../../db/playback.ts'
import { forkForRequest } from '../../../db/database.ts'
import type { EmbedDecision } from '../../../domain/embed-access.ts'
import type { SecuritySeverity } from '../../../domain/events.ts'
import type { Viewer } from './embed-address.ts'

type TokenReason = Extract<EmbedDecision, { kind: 'token_required' }>['reason']

const SEVERITY: Record<TokenReason, SecuritySeverity> = {
  missing: 'low',
  expired: 'low',
  forged: 'high',
  exp_in_milliseconds: 'low',
  revoked: 'medium',
}

/**
 * Records the security event of a refusal (contract, "Other records"): one for every refused viewer
 * token, and a sample of the refusals by domain. Does nothing for other decisions.
 */
export async function recordRefusal(
  db: Database,
  requestId: string,
  { video, account }: PlaybackFacts,
  viewer: Viewer,
  decision: EmbedDecision,
): Promise<void> {
  const em = forkForRequest(db, requestId)
  if (decision.kind === 'refused')
    await recordDomainRefusal(em, {
      accountId: account.id,
      videoId: video.id,
      reason: decision.reason,
      host: decision.reason === 'no_referrer' ? null : decision.host,
    })
  if (decision.kind === 'token_required')
    await recordSecurityEvent(em, {
      accountId: account.id,
      videoId: video.id,
      eventType: 'viewer_token_required',
      severity: SEVERITY[decision.reason],
      viewerId: viewer.viewerId,
      details: { reason: decision.reason },
    })
}
