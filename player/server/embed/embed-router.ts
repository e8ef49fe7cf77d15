import { Router } from 'express'
import type { Request } from 'express'
import { findPlayback } from '../../../db/playback.ts'
import type { PlaybackFacts } from '../../../db/playback.ts'
import { classifyBrowser } from '../../../domain/browser-class.ts'
import { decideEmbed, frameAncestors } from '../../../domain/embed-access.ts'
import type { EmbedRequest } from '../../../domain/embed-access.ts'
import { decodeAccountId, deepLink, isVideoId } from '../../../domain/embed-url.ts'
import { ROW_ID_MAX } from '../../../domain/row-id.ts'
import { claimedViewerId } from '../../../security/viewer-token.ts'
import type { Assets } from '../assets.ts'
import type { PlayerDeps } from '../deps.ts'
import { MALFORMED, NOT_FOUND, pageTextOf } from '../pages/refusals.ts'
import { sendMessage } from '../send-page.ts'
import { sessionKey } from '../session.ts'
import { readViewer } from './read-viewer.ts'
import type { Viewer } from './read-viewer.ts'
import { recordRefusal } from './record-refusal.ts'
import { referrerOf, refreshUrl } from './referrer.ts'
import { sendPlayer } from './send-player.ts'

/** GET /{video_id}/{base64_account_id}: the page of the iframe, or the page that says why not. */
export function embedRouter(deps: PlayerDeps, assets: Assets): Router {
  const router = Router()
  const key = sessionKey(deps.masterKeys)

  router.get('/:videoId/:account', async (request, response) => {
    const { videoId, account } = request.params
    const accountId = decodeAccountId(account)
    if (!isVideoId(videoId) || accountId === null || accountId > ROW_ID_MAX)
      return sendMessage(response, assets, MALFORMED)
    const facts = await findPlayback(deps.db, videoId, accountId, claimedViewerId(request.query.vt))
    if (!facts) return sendMessage(response, assets, NOT_FOUND)
    const viewer = readViewer(deps, facts, request.query.vt)
    const referrer = referrerOf(request, key)
    const decision = decideEmbed(embedRequest(deps, facts, viewer, request, referrer))
    response.locals.frameAncestors = frameAncestors(
      facts.account.settings,
      deps.serviceDomains,
      deps.directPlayHost,
    )
    if (decision.kind === 'play')
      return sendPlayer(deps, assets, key, { facts, viewer, referrer }, response)
    await recordRefusal(deps, facts, decision)
    const app = deepLink(videoId, accountId, viewer.vt ?? '')
    const refresh = refreshUrl(key, videoId, request, referrer)
    sendMessage(response, assets, pageTextOf(decision, { app, refresh }))
  })

  router.use((_request, response) => sendMessage(response, assets, MALFORMED))
  return router
}

function embedRequest(
  deps: PlayerDeps,
  { video, account }: PlaybackFacts,
  viewer: Viewer,
  request: Request,
  referrer: string | null,
): EmbedRequest {
  return {
    referrer,
    settings: account.settings,
    protection: video.protection,
    serviceDomains: deps.serviceDomains,
    directPlayHost: deps.directPlayHost,
    token: viewer.token,
    browser: classifyBrowser(request.get('User-Agent') ?? ''),
    status: video.status,
  }
}
