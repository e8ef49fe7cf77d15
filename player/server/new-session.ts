import type { PlaybackFacts } from '../../db/playback/playback.ts'
import { displayedViewerId } from '../../domain/playback/viewer-id.ts'
import type { PlayerSettings } from '../../domain/settings/player-settings.ts'
import { playbackSessions } from '../../metrics/playback.ts'
import type { SigningKeys } from '../../security/hmac.ts'
import { signSession } from '../../security/tokens/session-token.ts'
import type { PlayerData } from '../player-data.ts'
import type { Viewer } from './embed/embed-request.ts'

/** Returns the id and the token of a new session. `host` is that of the embedding site; the mobile app has none. */
export function newSession(
  {
    facts: { video, account },
    viewer,
    host,
  }: { facts: PlaybackFacts; viewer: Viewer; host: string | null },
  keys: SigningKeys,
): { sessionId: string; session: string } {
  const nowMs = Date.now()
  const session = {
    sessionId: crypto.randomUUID(),
    videoId: video.id,
    accountId: account.id,
    viewerId: viewer.viewerId,
    isMember: viewer.isMember,
    secretVersion: account.signingSecretVersion,
    refererHost: host,
    startedAtMs: nowMs,
  }
  playbackSessions.inc()
  return { sessionId: session.sessionId, session: signSession(session, keys, nowMs) }
}

/** What is drawn over the picture; null if the account has no watermark, or the viewer is not verified. */
export const watermarkOf = (
  { watermark: { enabled, opacity, size } }: PlayerSettings,
  viewerId: string | null,
): PlayerData['watermark'] =>
  enabled && viewerId !== null ? { text: displayedViewerId(viewerId), opacity, size } : null
