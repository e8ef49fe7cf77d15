import { orNotFound } from '../../../api/api-error.ts'
import { operation } from '../../../api/operation.ts'
import { videoIdParameter } from '../../../api/videos/schemas.ts'
import { findSigningFacts } from '../../../db/signing-facts.ts'
import { VIEWER_TOKEN_MIN_TTL_SECONDS } from '../../../domain/limits.ts'
import { dashboardViewerId } from '../../../domain/preview-look.ts'
import { openSigningSecret } from '../../../security/secret-contexts.ts'
import { signViewerToken } from '../../../security/viewer-token.ts'
import { playbackTokenSchema, playbackTokenView } from '../../../views/playback-token.ts'
import { memberOf } from '../auth/member-caller.ts'

const play = operation({
  id: 'playAsMember',
  method: 'post',
  path: '/videos/{id}/play',
  tag: 'Videos',
  summary: 'Sign a viewer token of the member, for the player in the dashboard',
  description:
    'Every member who may see the videos may watch them here. The token names the member and is valid for 60 seconds.',
  scope: 'videos:read',
  params: { id: videoIdParameter },
  status: 201,
  answer: playbackTokenSchema,
  // A token changes nothing of the record.
  audit: null,
  async handle({ deps, accountId, caller, params: { id: videoId } }) {
    const account = orNotFound(
      await findSigningFacts(deps.db, accountId, videoId),
      'video_not_found',
    )
    const viewerId = dashboardViewerId(memberOf(caller).member.id)
    const expiresAtSeconds = Math.floor(Date.now() / 1000) + VIEWER_TOKEN_MIN_TTL_SECONDS
    const secret = openSigningSecret(deps.masterKeys, account)
    const vt = signViewerToken({ viewerId, expiresAtSeconds }, secret)
    const token = { videoId, title: account.title, accountId, viewerId, vt, expiresAtSeconds }
    return playbackTokenView(token, deps.embedBase)
  },
})

export const playOperations = [play]
