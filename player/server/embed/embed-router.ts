import { Router, type Request } from 'express'
import { recordDomainRefusal } from '../../../commands/security-events/record-domain-refusal.ts'
import { forkForRequest } from '../../../db/database.ts'
import { findPlayback, type PlaybackFacts } from '../../../db/playback/playback.ts'
import { classifyBrowser } from '../../../domain/playback/browser-class.ts'
import {
  decideEmbed,
  frameAncestors,
  isAppOnly,
  isOpenTo,
  referrerHost,
  type EmbedDecision,
  type EmbedRequest,
} from '../../../domain/playback/embed-access.ts'
import { deepLink, embedUrl } from '../../../domain/playback/embed-url.ts'
import { getRequestId } from '../../../processes/request-log.ts'
import type { SentToken } from '../../../security/tokens/viewer-token.ts'
import type { ServerContext } from '../deps.ts'
import { oembedHeader, oembedUrl } from '../oembed/discovery.ts'
import { malformed, notFound, refusalPage } from '../pages/refusals.ts'
import { sendMessage, type PageResponse } from '../pages/send-page.ts'
import { tokenRefusal } from '../security-events/token-refusal.ts'
import {
  EMBED_ROUTE,
  framingSiteOf,
  isWithoutHardware,
  noHardwareUrl,
  readEmbedPath,
  readSentToken,
  verifyViewer,
  type FramingSite,
  type Viewer,
} from './embed-request.ts'
import { isLimited, sendTooMany, takeRefusal } from './limited-refusals.ts'
import { previewReader } from './preview.ts'
import { refusalFacts, unknownRefusal } from './refusal-facts.ts'
import { playerSender } from './send-player.ts'

/** GET /{video_id}/{base64_account_id}: sends the player page, or a page that explains a refusal. */
export function embedRouter(context: ServerContext): Router {
  const { db, siteKeys, embedBase } = context
  const router = Router()
  const decide = embedDecisions(context)
  const sendPlayer = playerSender(context)
  const previewOf = previewReader(context)

  router.get(EMBED_ROUTE, async (request, response: PageResponse) => {
    const path = readEmbedPath(request.params)
    if (!path) return sendMessage(response, context, malformed)
    const { videoId, accountId } = path
    response.locals.refusal = unknownRefusal(path, request)
    const sent = readSentToken(request)
    const claimedId = sent?.claims?.viewerId ?? null
    const facts = await findPlayback(db, videoId, accountId, claimedId)
    if (!facts) return sendMessage(response, context, notFound)
    response.locals.accountId = accountId
    const { viewer, site, embed, decision } = decide(facts, sent, request)
    response.locals.refusal = refusalFacts(path, { viewer, embed, sent })
    if (isLimited(viewer, decision)) {
      const waitMs = takeRefusal(context, request, response)
      if (waitMs > 0) return sendTooMany(response, context, waitMs)
    }
    if (decision.kind !== 'refused') response.locals.frameAncestors = frameAncestors(embed)
    if (isOpenTo(embed)) {
      const url = oembedUrl(embedBase, embedUrl(embedBase, videoId, accountId))
      response.set('Link', oembedHeader(url))
    }
    // The player of a video that does not play yet waits for it.
    if (decision.kind === 'play' || decision.kind === 'wait') {
      const playing = { facts, viewer, host: embed.host }
      const withoutHardware = isAppOnly(embed.settings, embed.protection)
        ? noHardwareUrl(siteKeys, videoId, request, site)
        : null
      const look = previewOf(request, playing)
      return sendPlayer({ ...playing, look, noHardwareUrl: withoutHardware }, response)
    }
    await recordRefusal(context, getRequestId(response), facts, viewer, decision)
    sendMessage(response, context, (texts) =>
      refusalPage(decision, texts, {
        deepLink: deepLink(videoId, accountId, viewer.vt ?? ''),
        appStore: context.appStoreUrl,
      }),
    )
  })

  router.use((_request, response) => sendMessage(response, context, malformed))
  return router
}

/** Returns a function that verifies the viewer token of a request and decides what its page shows. */
export function embedDecisions(context: ServerContext) {
  const { masterKeys, siteKeys, embedBase } = context
  const embedRequestOf = embedRequests(context)
  return (facts: PlaybackFacts, sent: SentToken | null, request: Request) => {
    const viewer = verifyViewer(masterKeys, facts, sent)
    const site = framingSiteOf(request, siteKeys, embedBase)
    const embed = embedRequestOf(facts, viewer, request, site)
    return { viewer, site, embed, decision: decideEmbed(embed) }
  }
}

/** Returns a function that collects the input of `decideEmbed`. */
function embedRequests({ serviceDomains, directPlayHost }: ServerContext) {
  return (
    { video, account }: PlaybackFacts,
    viewer: Viewer,
    request: Request,
    { address, isFromTicket }: FramingSite,
  ): EmbedRequest => ({
    host: referrerHost(address),
    isSiteFromTicket: isFromTicket,
    settings: account.settings,
    protection: video.protection,
    serviceDomains,
    directPlayHost,
    token: viewer.token,
    browser: classifyBrowser(request.get('User-Agent') ?? ''),
    isWithoutHardware: isWithoutHardware(request),
    status: video.status,
  })
}

/**
 * Records the security event of a refusal (contract, "Other records"): one for every refused viewer
 * token, and a sample of the refusals by domain. Does nothing for other decisions.
 */
async function recordRefusal(
  { db, recorder }: ServerContext,
  requestId: string,
  { video, account }: PlaybackFacts,
  viewer: Viewer,
  decision: EmbedDecision,
): Promise<void> {
  if (decision.kind === 'refused')
    await recordDomainRefusal(forkForRequest(db, requestId), {
      accountId: account.id,
      videoId: video.id,
      reason: decision.reason,
      host: decision.reason === 'no_referrer' ? null : decision.host,
    })
  if (decision.kind === 'token_required')
    await recorder.record(tokenRefusal(video, viewer.viewerId, decision.reason, requestId))
}
