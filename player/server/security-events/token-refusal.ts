import type { EmbedDecision } from '../../../domain/playback/embed-access.ts'
import type { SecuritySeverity } from '../../../domain/webhooks/events.ts'
import type { ObservedEvent } from './tally.ts'

type TokenReason = Extract<EmbedDecision, { kind: 'token_required' }>['reason']

const SEVERITY: Record<TokenReason, SecuritySeverity> = {
  missing: 'low',
  expired: 'low',
  forged: 'high',
  exp_in_milliseconds: 'low',
  revoked: 'medium',
}

/** The event of a page or of the mobile app that was refused for its viewer token (contract, "Other records"). */
export const tokenRefusal = (
  { id, accountId }: { id: string; accountId: number },
  viewerId: string | null,
  reason: TokenReason,
  requestId: string,
): ObservedEvent => ({
  accountId,
  videoId: id,
  eventType: 'viewer_token_required',
  severity: SEVERITY[reason],
  viewerId,
  details: { reason },
  requestId,
  repeatsOf: null,
})
