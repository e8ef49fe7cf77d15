import { Router } from 'express'
import type { Request } from 'express'
import { findPlayback } from '../../../db/playback.ts'
import type { PlaybackFacts } from '../../../db/playback.ts'
import { classifyBrowser } from '../../../domain/browser-class.ts'
import { decideEmbed, frameAncestors, referrerHost } from '../../../domain/embed-access.ts'
import type { EmbedRequest } from '../../../domain/embed-access.ts'
import { deepLink } from '../../../domain/embed-url.ts'
import { normaliseHost } from '../../../domain/host-name.ts'
import { requestIdOf } from '../../../processes/request-log.ts'
import type { Assets } from '../assets.ts'
import type { PlayerDeps } from '../deps.ts'
import { malformed, notFound, pageOf } from '../pages/refusals.ts'
import { sendMessage } from '../send-page.ts'
import { sessionKey } from '../session.ts'
import { readEmbedPath } from './read-embed-path.ts'
import { readViewer, sentTokenOf } from './read-viewer.ts'
import type { Viewer } from './read-viewer.ts'
import { recordRefusal } from './record-refusal.ts'
import { referrerOf, refreshUrl } from './referrer.ts'
import { playerSender } from './send-player.ts'

/** GET /{video_id}/{base64_account_id}: the page of the iframe, or the page that says why not. */
export function embedRouter(deps: PlayerDeps, assets: Assets): Router {
  const router = Router()
  const key = sessionKey(deps.masterKeys)
  const requestOf = embedRequests(deps)
  const sendPlayer = playerSender(deps, assets, key)

  router.get('/:videoId/:account', async (request, response) => {
    const path = readEmbedPath(request.params)
    if (!path) return sendMessage(response, assets, malformed)
    const { videoId, accountId } = path
    const sent = sentTokenOf(request)
    const claimedId = sent?.claims?.viewerId ?? null
    const facts = await findPlayback(deps.db, videoId, accountId, claimedId)
    if (!facts) return sendMessage(response, assets, notFound)
    response.locals.accountId = accountId
    const viewer = readViewer(deps, facts, sent)
    const referrer = referrerOf(request, key, deps.embedBase)
    const embed = requestOf(facts, viewer, request, referrer)
    const decision = decideEmbed(embed)
    if (decision.kind !== 'refused') response.locals.frameAncestors = frameAncestors(embed)
    if (decision.kind === 'play') return sendPlayer({ facts, viewer, host: embed.host }, response)
    await recordRefusal(deps, requestIdOf(response), facts, viewer, decision)
    sendMessage(response, assets, (texts) =>
      pageOf(decision, texts, {
        deepLink: deepLink(videoId, accountId, viewer.vt ?? ''),
        appStore: deps.appStoreUrl,
        refresh: refreshUrl(key, videoId, request, referrer),
      }),
    )
  })

  router.use((_request, response) => sendMessage(response, assets, malformed))
  return router
}

/** Gathers what decides about a request. */
function embedRequests({ serviceDomains, directPlayBase }: PlayerDeps) {
  const directPlayHost = directPlayBase === null ? null : normaliseHost(directPlayBase)
  return (
    { video, account }: PlaybackFacts,
    viewer: Viewer,
    request: Request,
    referrer: string | null,
  ): EmbedRequest => ({
    host: referrerHost(referrer),
    settings: account.settings,
    protection: video.protection,
    serviceDomains,
    directPlayHost,
    token: viewer.token,
    browser: classifyBrowser(request.get('User-Agent') ?? ''),
    status: video.status,
  })
}
