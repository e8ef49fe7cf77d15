import { Router } from 'express'
import type { RequestHandler, Response } from 'express'
import { findPlayback } from '../../../db/playback.ts'
import type { PlaybackFacts } from '../../../db/playback.ts'
import { embedUrl, encodeAccountId } from '../../../domain/embed-url.ts'
import { normaliseHost } from '../../../domain/host-name.ts'
import { isViewerTokenEnforced } from '../../../domain/player-settings.ts'
import type { SentToken } from '../../../security/viewer-token.ts'
import type { Assets } from '../assets.ts'
import { chooseLanguage } from '../choose-language.ts'
import type { PlayerDeps } from '../deps.ts'
import { readEmbedPath } from '../embed/read-embed-path.ts'
import { readViewer, sentTokenOf } from '../embed/read-viewer.ts'
import { directPlayNotFound, malformed } from '../pages/refusals.ts'
import { textsOf } from '../pages/texts/texts-of.ts'
import { sendMessage, setStaticPageHeaders } from '../send-page.ts'
import { directPlayPage } from './direct-play-page.ts'

/**
 * The Direct Play host: GET {DIRECT_PLAY_BASE}/{video_id}/{base64_account_id}?vt= frames the embed.
 * It answers everything that is asked of its host name, and lets everything else pass.
 */
export function directPlayRouter(deps: PlayerDeps, assets: Assets): RequestHandler {
  const { directPlayBase } = deps
  if (directPlayBase === null) return (_request, _response, next) => next()
  const host = normaliseHost(directPlayBase)
  const router = Router()

  router.get('/:videoId/:account', async (request, response) => {
    const path = readEmbedPath(request.params)
    if (!path) return sendMessage(response, assets, malformed)
    const sent = sentTokenOf(request)
    const claimedId = sent?.claims?.viewerId ?? null
    const facts = await findPlayback(deps.db, path.videoId, path.accountId, claimedId)
    if (!facts?.account.settings.direct_play)
      return sendMessage(response, assets, directPlayNotFound)
    response.locals.accountId = path.accountId
    sendFrame(deps, assets, { facts, sent, directPlayBase }, response)
  })
  router.use((_request, response) => sendMessage(response, assets, malformed))

  return (request, response, next) =>
    normaliseHost(request.hostname ?? '') === host ? router(request, response, next) : next()
}

function sendFrame(
  deps: PlayerDeps,
  assets: Assets,
  {
    facts,
    sent,
    directPlayBase,
  }: { facts: PlaybackFacts; sent: SentToken | null; directPlayBase: string },
  response: Response,
): void {
  const { req: request } = response
  const { video, account } = facts
  const language = chooseLanguage(request)
  // The embed's query is the page's: vt, lang, and whatever else the player knows.
  const query = new URLSearchParams(request.originalUrl.split('?')[1])
  query.delete('from')
  const src = embedUrl(deps.embedBase, video.id, account.id)
  const isShown = !isViewerTokenEnforced(account.settings) || isValid(deps, facts, sent)
  setStaticPageHeaders(
    response,
    `frame-src ${new URL(deps.embedBase).origin}`,
    // Framed itself, it would carry the embed past the domain rules.
    "frame-ancestors 'none'",
  )
  response.set('X-Frame-Options', 'DENY').send(
    directPlayPage({
      ...{ language, styleUrl: assets.pageStyleUrl },
      title: isShown ? video.title : textsOf(language).untitledVideo,
      pageUrl: `${directPlayBase}/${video.id}/${encodeURIComponent(encodeAccountId(account.id))}`,
      embedUrl: query.size > 0 ? `${src}?${query.toString()}` : src,
      posterUrl: isShown && video.hasPoster ? `${deps.embedBase}/posters/${video.id}.jpg` : null,
    }),
  )
}

/** Where a token is needed to watch, the title too is for those who have one. */
const isValid = (deps: PlayerDeps, facts: PlaybackFacts, sent: SentToken | null): boolean =>
  readViewer(deps, facts, sent).token === 'valid'
