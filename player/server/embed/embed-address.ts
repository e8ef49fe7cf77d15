import type { Request } from 'express'
import type { PlaybackFacts } from '../../../db/playback.ts'
import type { EmbedRequest } from '../../../domain/embed-access.ts'
import { decodeAccountId, isVideoId } from '../../../domain/embed-url.ts'
import { ROW_ID_MAX } from '../../../domain/row-id.ts'
import type { MasterKeys } from '../../../security/sealing.ts'
import { openSigningSecret } from '../../../security/secret-contexts.ts'
import { readViewerToken, verifyViewerToken } from '../../../security/viewer-token.ts'
import type { SentToken } from '../../../security/viewer-token.ts'

/** Route of the embed page and the Direct Play page: `/{video_id}/{base64_account_id}`. */
export const EMBED_ROUTE = '/:videoId/:account'

/** Reads the parameters of `EMBED_ROUTE`. Returns null if one is malformed. */
export function readEmbedPath(params: {
  videoId: string
  account: string
}): { videoId: string; accountId: number } | null {
  const { videoId, account } = params
  const accountId = decodeAccountId(account)
  if (!isVideoId(videoId) || accountId === null || accountId > ROW_ID_MAX) return null
  return { videoId, accountId }
}

/** Reads the viewer token in the `vt` of an embed address. Returns null if there is none. */
export function readSentToken({ query: { vt } }: Request): SentToken | null {
  if (vt === undefined || vt === '') return null
  return readViewerToken(typeof vt === 'string' ? vt : '')
}

/** What the viewer token proves about the viewer. */
export interface Viewer {
  token: EmbedRequest['token']
  /** Verified; null if the token is not genuine or has expired. */
  viewerId: string | null
  /** The token's text; null unless it is valid. */
  vt: string | null
}

/** Verifies a viewer token with the signing secret of the account. */
export function verifyViewer(
  masterKeys: MasterKeys,
  { account, claimed }: PlaybackFacts,
  sent: SentToken | null,
): Viewer {
  if (!sent) return { token: 'missing', viewerId: null, vt: null }
  const secret = openSigningSecret(masterKeys, account)
  const verdict = verifyViewerToken(sent, secret, Date.now())
  if (!verdict.ok) return { token: verdict.reason, viewerId: null, vt: null }
  const { viewerId } = verdict.claims
  return claimed.isRevoked
    ? { token: 'revoked', viewerId, vt: null }
    : { token: 'valid', viewerId, vt: sent.text }
}
