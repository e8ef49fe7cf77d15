import type { PlaybackFacts } from '../../../db/playback.ts'
import { forkForRequest } from '../../../db/database.ts'
import type { EmbedDecision } from '../../../domain/embed-access.ts'
import type { SecuritySeverity } from '../../../domain/events.ts'
import { recordDomainRefusal } from '../../../commands/security-events/record-domain-refusal.ts'
import { recordSecurityEvent } from '../../../commands/security-events/record-security-event.ts'
import type { PlayerDeps } from '../deps.ts'
import type { Viewer } from './read-viewer.ts'

const SEVERITY: Record<TokenReason, SecuritySeverity> = {
  missing: 'low',
  expired: 'low',
  forged: 'high',
  exp_in_milliseconds: 'low',
  revoked: 'medium',
}
type TokenReason = Extract<EmbedDecision, { kind: 'token_required' }>['reason']

/**
 * Every refusal for its token is one security event (spec, "Other records"); of refusals by domain
 * the account gets a sample.
 */
export async function recordRefusal(
  { db }: PlayerDeps,
  requestId: string,
  { video, account }: PlaybackFacts,
  viewer: Viewer,
  decision: EmbedDecision,
): Promise<void> {
  const em = forkForRequest(db, requestId)
  const ids = { accountId: account.id, videoId: video.id }
  if (decision.kind === 'refused')
    await recordDomainRefusal(em, {
      ...{ ...ids, reason: decision.reason },
      host: decision.reason === 'no_referrer' ? null : decision.host,
    })
  if (decision.kind === 'token_required')
    await recordSecurityEvent(em, {
      ...{ ...ids, eventType: 'viewer_token_required', severity: SEVERITY[decision.reason] },
      ...{ viewerId: viewer.viewerId, details: { reason: decision.reason } },
    })
}
