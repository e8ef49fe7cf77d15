import type { EntityManager } from '../../db/database.ts'
import type { EmbedDecision } from '../../domain/embed-access.ts'
import type { SecuritySeverity } from '../../domain/events.ts'
import { recordSecurityEvent } from './record-security-event.ts'

type TokenReason = Extract<EmbedDecision, { kind: 'token_required' }>['reason']

const SEVERITY: Record<TokenReason, SecuritySeverity> = {
  missing: 'low',
  expired: 'low',
  forged: 'high',
  exp_in_milliseconds: 'low',
  revoked: 'medium',
}

/** Records that a page or the mobile app was refused for its viewer token (contract, "Other records"). */
export async function recordTokenRefusal(
  em: EntityManager,
  { id, accountId }: { id: string; accountId: number },
  viewerId: string | null,
  reason: TokenReason,
): Promise<void> {
  await recordSecurityEvent(em, {
    accountId,
    videoId: id,
    eventType: 'viewer_token_required',
    severity: SEVERITY[reason],
    viewerId,
    details: { reason },
  })
}
