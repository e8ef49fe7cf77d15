import type { Request } from 'express'
import type { PlaybackFacts } from '../../../db/playback.ts'
import type { EmbedRequest } from '../../../domain/embed-access.ts'
import { openSigningSecret } from '../../../security/secret-contexts.ts'
import { readViewerToken, verifyViewerToken } from '../../../security/viewer-token.ts'
import type { SentToken } from '../../../security/viewer-token.ts'
import type { PlayerDeps } from '../deps.ts'

/** Who watches, as far as the vt proves it. */
export interface Viewer {
  token: EmbedRequest['token']
  /** Server-verified; null unless the token is genuine and live. */
  viewerId: string | null
  vt: string | null
}

/** The `vt` of an embed address, which may be anything; null where there is none. */
export function sentTokenOf({ query: { vt } }: Request): SentToken | null {
  if (vt === undefined || vt === '') return null
  return readViewerToken(typeof vt === 'string' ? vt : '')
}

/** Judges what was sent with the signing secret of the account. */
export function readViewer(
  deps: PlayerDeps,
  { account, claimed }: PlaybackFacts,
  sent: SentToken | null,
): Viewer {
  if (!sent) return { token: 'missing', viewerId: null, vt: null }
  const secret = openSigningSecret(deps.masterKeys, account)
  const verdict = verifyViewerToken(sent, secret, Date.now())
  if (!verdict.ok) return { token: verdict.reason, viewerId: null, vt: null }
  const { viewerId } = verdict.claims
  return claimed.isRevoked
    ? { token: 'revoked', viewerId, vt: null }
    : { token: 'valid', viewerId, vt: sent.text }
}
