import type { PlaybackFacts } from '../../../db/playback.ts'
import type { EmbedRequest } from '../../../domain/embed-access.ts'
import { openSigningSecret } from '../../../security/secret-contexts.ts'
import { verifyViewerToken } from '../../../security/viewer-token.ts'
import type { PlayerDeps } from '../deps.ts'

/** Who watches, as far as the vt proves it. */
export interface Viewer {
  token: EmbedRequest['token']
  /** Server-verified; null unless the token is genuine and live. */
  viewerId: string | null
  vt: string | null
}

/** Judges the `vt` of an embed address with its account's signing secret. */
export function readViewer(
  deps: PlayerDeps,
  { account, claimed }: PlaybackFacts,
  vt: unknown,
): Viewer {
  if (vt === undefined || vt === '') return { token: 'missing', viewerId: null, vt: null }
  if (typeof vt !== 'string') return { token: 'malformed', viewerId: null, vt: null }
  const secret = openSigningSecret(deps.masterKeys, account)
  const verdict = verifyViewerToken(vt, secret, Date.now())
  if (!verdict.ok) return { token: verdict.reason, viewerId: null, vt: null }
  const { viewerId } = verdict.claims
  return claimed.isRevoked
    ? { token: 'revoked', viewerId, vt: null }
    : { token: 'valid', viewerId, vt }
}
