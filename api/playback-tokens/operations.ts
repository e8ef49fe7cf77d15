import { z } from 'zod'
import { findSigningFacts } from '../../db/accounts/signing-facts.ts'
import {
  VIEWER_ID_MAX_LENGTH,
  VIEWER_TOKEN_DEFAULT_TTL_SECONDS,
  VIEWER_TOKEN_MAX_TTL_SECONDS,
  VIEWER_TOKEN_MIN_TTL_SECONDS,
} from '../../domain/limits.ts'
import { isPlainViewerId, PLAIN_VIEWER_ID_PATTERN } from '../../domain/playback/viewer-id.ts'
import { ApiError } from '../../http/api-error.ts'
import { operation } from '../../http/operation.ts'
import { openSigningSecret } from '../../security/sealing/secret-contexts.ts'
import { signViewerToken } from '../../security/tokens/viewer-token.ts'
import { playbackTokenSchema, playbackTokenView } from '../../views/playback/playback-token.ts'
import { videoIdParameter } from '../videos/schemas.ts'

const viewerId = {
  minLength: 1,
  maxLength: VIEWER_ID_MAX_LENGTH,
  pattern: PLAIN_VIEWER_ID_PATTERN,
  example: 'viewer-42',
}

/** Body of POST /v1/videos/{id}/playback-tokens. */
const createPlaybackTokenBody = z.strictObject({
  viewer_id: z
    .string()
    .refine(isPlainViewerId, {
      message:
        'must be 1 to 64 visible characters (at most 64 bytes), without control characters and bidirectional controls',
    })
    .meta({
      ...viewerId,
      description:
        'Visible plain text of at most 64 bytes, without control characters and bidirectional controls.',
    }),
  ttl_seconds: z
    .int()
    .min(VIEWER_TOKEN_MIN_TTL_SECONDS)
    .max(VIEWER_TOKEN_MAX_TTL_SECONDS)
    .default(VIEWER_TOKEN_DEFAULT_TTL_SECONDS),
})

const create = operation({
  id: 'createPlaybackToken',
  method: 'post',
  path: '/v1/videos/{id}/playback-tokens',
  tag: 'Playback tokens',
  summary: 'Sign a viewer token',
  description:
    'Returns the same token that you can sign with the signing secret of the account. One token is valid for every video of the account.',
  scope: 'playback:sign',
  params: { id: videoIdParameter },
  body: createPlaybackTokenBody,
  status: 201,
  response: playbackTokenSchema,
  // A token changes nothing of the record.
  audit: null,
  async handle({ deps, accountId, params: { id: videoId }, body }) {
    const account = await findSigningFacts(deps.db, accountId, videoId)
    if (!account) throw new ApiError('video_not_found')
    const viewerId = body.viewer_id
    const expiresAtSeconds = Math.floor(Date.now() / 1000) + body.ttl_seconds
    const secret = openSigningSecret(deps.masterKeys, account)
    const vt = signViewerToken({ viewerId, expiresAtSeconds }, secret)
    const token = { videoId, title: account.title, accountId, viewerId, vt, expiresAtSeconds }
    return playbackTokenView(token, deps.embedBase)
  },
})

export const playbackTokenOperations = [create]
