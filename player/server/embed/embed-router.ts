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
import type { ServerContext } from '../deps.ts'
import { malformed, notFound, pageOf } from '../pages/refusals.ts'
import { sendMessage } from '../pages/send-page.ts'
import type { PageResponse } from '../pages/send-page.ts'
import { EMBED_ROUTE, readEmbedPath, readSentToken, verifyViewer } from './embed-address.ts'
import type { Viewer } from './embed-address.ts'
import { recordRefusal } from './record-refusal.ts'
import { referrerOf, refreshUrl } from './referrer.ts'
import { playerSender } from './send-player.ts'

/** GET /{video_id}/{base64_account_id}: sends the player page, or a page that explains a refusal. */
export function embedRouter(context: ServerContext): Router {
  const { db, assets, sessionKey, embedBase } = context
  const router = Router()
  const embedRequestOf = embedRequests(context)
  const sendPlayer = playerSender(context)

  router.get(EMBED_ROUTE, async (request, response: PageResponse) => {
    const path = readEmbedPath(request.params)
    if (!path) return sendMessage(response, assets, malformed)
    const { videoId, accountId } = path
    const sent = readSentToken(request)
    const claimedId = sent?.claims?.viewerId ?? null
    const facts = await findPlayback(db, videoId, accountId, claimedId)
    if (!facts) return sendMessage(response, assets, notFound)
    response.locals.accountId = accountId
    const viewer = verifyViewer(context.masterKeys, facts, sent)
    const referrer = referrerOf(request, sessionKey, embedBase)
    const embed = embedRequestOf(facts, viewer, request, referrer)
    const decision = decideEmbed(embed)
    if (decision.kind !== 'refused') response.locals.frameAncestors = frameAncestors(embed)
    if (decision.kind === 'play') return sendPlayer({ facts, viewer, host: embed.host }, response)
    await recordRefusal(db, requestIdOf(response), facts, viewer, decision)
    sendMessage(response, assets, (texts) =>
      pageOf(decision, texts, {
        deepLink: deepLink(videoId, accountId, viewer.vt ?? ''),
        appStore: context.appStoreUrl,
        refresh: refreshUrl(sessionKey, videoId, request, referrer),
      }),
    )
  })

  router.use((_request, response) => sendMessage(response, assets, malformed))
  return router
}

/** Returns a function that collects the input of `decideEmbed`. */
function embedRequests({ serviceDomains, directPlayBase }: ServerContext) {
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
