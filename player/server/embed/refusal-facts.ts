import type { Request } from 'express'
import { referrerHost, type EmbedRequest } from '../../../domain/playback/embed-access.ts'
import type { SentToken } from '../../../security/tokens/viewer-token.ts'
import type { RefusalFacts } from '../playback-reports/note-refusal.ts'
import type { Viewer } from './embed-request.ts'

interface EmbedPath {
  videoId: string
  accountId: number
}

/** What a request says about itself, before its video is found. */
export const unknownRefusal = (
  { videoId, accountId }: EmbedPath,
  request: Request,
): RefusalFacts => ({
  accountId,
  videoId,
  viewerId: null,
  host: referrerHost(request.get('Referer') ?? request.get('Origin') ?? null),
  details: {},
})

/** What is known once the request is decided. */
export const refusalFacts = (
  { videoId, accountId }: EmbedPath,
  { viewer, embed, sent }: { viewer: Viewer; embed: EmbedRequest; sent: SentToken | null },
): RefusalFacts => ({ accountId, videoId, host: embed.host, ...viewerFacts(viewer, sent) })

/** The verified viewer, which fault the token has, and how long ago a genuine one expired. */
export function viewerFacts(
  { viewerId, isMember, token }: Viewer,
  sent: SentToken | null,
): Pick<RefusalFacts, 'viewerId' | 'details'> {
  const expiresAtMs = (sent?.claims?.expiresAtSeconds ?? 0) * 1000
  const expiredSeconds = Math.max(0, Math.round((Date.now() - expiresAtMs) / 1000))
  return {
    viewerId: isMember ? null : viewerId,
    details: {
      ...(token === 'expired' && { expired_seconds: expiredSeconds }),
      ...(token === 'malformed' && { is_token_malformed: true }),
    },
  }
}
