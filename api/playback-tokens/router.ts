import { Router } from 'express'
import { findAccount } from '../../db/accounts.ts'
import { openSigningSecret } from '../../security/secret-contexts.ts'
import { signViewerToken } from '../../security/viewer-token.ts'
import { ApiError } from '../api-error.ts'
import type { ApiDeps } from '../deps.ts'
import { accountIdOf, requireScope } from '../middleware/authenticate.ts'
import { answerOnce } from '../middleware/idempotency.ts'
import { allowOnly } from '../middleware/methods.ts'
import { parse } from '../middleware/validate.ts'
import { requireVideo } from '../videos/router.ts'
import { createPlaybackTokenBody } from './schemas.ts'
import { playbackTokenView } from './view.ts'

/** /v1/videos/{id}/playback-tokens: signs the token that an integrator could sign itself. */
export function playbackTokensRouter(deps: ApiDeps): Router {
  const router = Router({ caseSensitive: true, mergeParams: true })
  router
    .route('/')
    .post(requireScope(deps, 'playback:sign'), async (request, response) => {
      const { id } = request.params as { id: string }
      const { viewer_id: viewerId, ttl_seconds: ttl } = parse(createPlaybackTokenBody, request.body)
      const accountId = accountIdOf(response)
      // A page that carries a token must not be cached, nor must this (spec, "Viewer token", rule 8).
      response.set('Cache-Control', 'private, no-store')
      await answerOnce(deps, request, response, async (commit) => {
        const [video, secret] = await Promise.all([
          requireVideo(deps, accountId, id),
          signingSecret(deps, accountId),
        ])
        const expiresAtSeconds = Math.floor(Date.now() / 1000) + ttl
        const vt = signViewerToken({ viewerId, expiresAtSeconds }, secret)
        const token = { videoId: video.id, accountId, viewerId, vt, expiresAtSeconds }
        const answer = { status: 201, body: playbackTokenView(token, deps.embedBase) }
        return request.get('Idempotency-Key') === undefined ? answer : commit(async () => answer)
      })
    })
    .all(allowOnly('POST'))
  return router
}

async function signingSecret(deps: ApiDeps, accountId: number): Promise<string> {
  const account = await findAccount(deps.db.em.fork(), accountId)
  if (!account) throw new ApiError('invalid_api_key')
  return openSigningSecret(deps.masterKeys, account)
}
