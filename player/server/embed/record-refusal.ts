import type { PlaybackFacts } from '../../../db/playback.ts'
import type { EmbedDecision } from '../../../domain/embed-access.ts'
import { recordSecurityEvent } from '../../../outbox/append/record-security-event.ts'
import type { PlayerDeps } from '../deps.ts'

/** Every refusal for its token is one security event (spec, "Other records"). */
export async function recordRefusal(
  deps: PlayerDeps,
  { video, account }: PlaybackFacts,
  decision: EmbedDecision,
): Promise<void> {
  if (decision.kind !== 'token_required') return
  await recordSecurityEvent(deps.db.em.fork(), {
    accountId: account.id,
    eventType: 'viewer_token_required',
    severity: decision.reason === 'forged' ? 'high' : 'low',
    videoId: video.id,
    viewerId: null,
    details: { reason: decision.reason },
  })
}
