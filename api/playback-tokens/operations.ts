import { findSigningFacts } from '../../db/signing-facts.ts'
import { openSigningSecret } from '../../security/secret-contexts.ts'
import { signViewerToken } from '../../security/viewer-token.ts'
import { playbackTokenSchema, playbackTokenView } from '../../views/playback-token.ts'
import { ApiError } from '../api-error.ts'
import { operation } from '../operation.ts'
import { videoIdParameter } from '../videos/schemas.ts'
import { createPlaybackTokenBody } from './schemas.ts'

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
  answer: playbackTokenSchema,
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
