import { videoIdParameter } from '../../../api/videos/schemas.ts'
import { findSigningFacts } from '../../../db/accounts/signing-facts.ts'
import { orNotFound } from '../../../http/api-error.ts'
import { operation } from '../../../http/operation.ts'
import { signMemberToken } from '../../../security/tokens/member-token.ts'
import { playbackTokenSchema, playbackTokenView } from '../../../views/playback/playback-token.ts'
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
  response: playbackTokenSchema,
  // A token changes nothing of the record.
  audit: null,
  async handle({ deps, accountId, caller, params: { id: videoId } }) {
    const account = orNotFound(
      await findSigningFacts(deps.db, accountId, videoId),
      'video_not_found',
    )
    const token = signMemberToken(deps.masterKeys, account, memberOf(caller).member.id)
    return playbackTokenView({ ...token, videoId, title: account.title, accountId }, deps.embedBase)
  },
})

export const playOperations = [play]
