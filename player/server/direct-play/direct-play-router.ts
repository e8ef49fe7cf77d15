import { Router, type RequestHandler } from 'express'
import { findPlayback, type PlaybackFacts } from '../../../db/playback/playback.ts'
import { normaliseHost } from '../../../domain/host-name.ts'
import { escapeHtml } from '../../../domain/html.ts'
import { directionOf, type Language } from '../../../domain/language.ts'
import { isOpenTo } from '../../../domain/playback/embed-access.ts'
import { embedUrl, IFRAME_ATTRIBUTES, posterPath } from '../../../domain/playback/embed-url.ts'
import { isViewerTokenEnforced } from '../../../domain/settings/player-settings.ts'
import { chooseLanguage } from '../../../http/pages/choose-language.ts'
import { fontPreloads } from '../../../http/pages/fonts.ts'
import type { SentToken } from '../../../security/tokens/viewer-token.ts'
import type { ServerContext } from '../deps.ts'
import { EMBED_ROUTE, readEmbedPath, readSentToken, verifyViewer } from '../embed/embed-request.ts'
import { unknownRefusal } from '../embed/refusal-facts.ts'
import { OEMBED_LINK, oembedUrl } from '../oembed/discovery.ts'
import { textsOf } from '../pages/choose-texts.ts'
import { directPlayNotFound, malformed } from '../pages/refusals.ts'
import { sendMessage, setStaticPageHeaders, type PageResponse } from '../pages/send-page.ts'

/**
 * The Direct Play host: GET {DIRECT_PLAY_BASE}/{video_id}/{base64_account_id}?vt= shows a page that
 * frames the embed page. Handles all requests for its host name and passes on all others.
 */
export function directPlayRouter(context: ServerContext): RequestHandler {
  const { directPlayBase, directPlayHost } = context
  if (directPlayBase === null) return (_request, _response, next) => next()
  const router = Router()

  router.get(EMBED_ROUTE, async (request, response: PageResponse) => {
    const path = readEmbedPath(request.params)
    if (!path) return sendMessage(response, context, malformed)
    response.locals.refusal = {
      ...unknownRefusal(path, request),
      host: directPlayHost,
    }
    const sent = readSentToken(request)
    const claimedId = sent?.claims?.viewerId ?? null
    const facts = await findPlayback(context.db, path.videoId, path.accountId, claimedId)
    if (!facts?.account.settings.direct_play)
      return sendMessage(response, context, directPlayNotFound)
    response.locals.accountId = path.accountId
    sendFrame(context, directPlayBase, { facts, sent }, response)
  })
  router.use((_request, response) => sendMessage(response, context, malformed))

  return (request, response, next) =>
    normaliseHost(request.hostname ?? '') === directPlayHost
      ? router(request, response, next)
      : next()
}

function sendFrame(
  { assets, masterKeys, embedBase }: ServerContext,
  directPlayBase: string,
  { facts, sent }: { facts: PlaybackFacts; sent: SentToken | null },
  response: PageResponse,
): void {
  const { req: request } = response
  const { video, account } = facts
  const language = chooseLanguage(request)
  // The embed page gets the query of this page: vt, lang and the playback options.
  const query = new URLSearchParams(request.originalUrl.split('?')[1])
  query.delete('from')
  const src = embedUrl(embedBase, video.id, account.id)
  // If playback needs a viewer token, so do title and poster.
  const isShown =
    !isViewerTokenEnforced(account.settings) ||
    verifyViewer(masterKeys, facts, sent).token === 'valid'
  setStaticPageHeaders(
    response,
    `frame-src ${new URL(embedBase).origin}`,
    // Another site could frame this page and so evade the domain rules of the embed page.
    "frame-ancestors 'none'",
  )
  const pageUrl = embedUrl(directPlayBase, video.id, account.id)
  const html = directPlayPage({
    language,
    styleUrl: assets.pageStyleUrl,
    title: isShown ? video.title : textsOf(language).untitledVideo,
    pageUrl,
    embedUrl: query.size > 0 ? `${src}?${query.toString()}` : src,
    posterUrl:
      isShown && video.hasPoster ? embedBase + posterPath(video.id, video.posterVersion) : null,
    open: isOpenToAll(facts) ? { playerUrl: src, oembedUrl: oembedUrl(embedBase, pageUrl) } : null,
  })
  response.set('X-Frame-Options', 'DENY').send(html)
}

const isOpenToAll = ({ video: { protection, status }, account: { settings } }: PlaybackFacts) =>
  isOpenTo({ host: null, settings, protection, status, serviceDomains: [], directPlayHost: null })

interface DirectPlayPage {
  language: Language
  title: string
  /** Address of this page, without a viewer token. */
  pageUrl: string
  embedUrl: string
  /** Null if there is no poster or it may not be shown. */
  posterUrl: string | null
  /** Addresses that other sites make a player of; null unless every site may embed the video. */
  open: { playerUrl: string; oembedUrl: string } | null
  styleUrl: string
}

/** Renders a page without scripts that frames the embed page and has metadata for link previews. */
function directPlayPage(page: DirectPlayPage): string {
  const title = escapeHtml(page.title)
  return `<!doctype html>
<html lang="${page.language}" dir="${directionOf(page.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<title>${title}</title>
${previewTags(page)}
${oembedTag(page)}${fontPreloads(page.language)}<link rel="stylesheet" href="${escapeHtml(page.styleUrl)}">
</head>
<body class="direct-play">
<main>
<h1>${title}</h1>
<iframe src="${escapeHtml(page.embedUrl)}" title="${title}" ${IFRAME_ATTRIBUTES}></iframe>
</main>
</body>
</html>
`
}

const oembedTag = ({ open }: DirectPlayPage): string =>
  open === null ? '' : `<link ${OEMBED_LINK} href="${escapeHtml(open.oembedUrl)}">\n`

function previewTags({ title, pageUrl, posterUrl, open }: DirectPlayPage): string {
  const tags: [string, string, string][] = [
    ['property', 'og:type', 'video.other'],
    ['property', 'og:title', title],
    ['property', 'og:url', pageUrl],
    ['name', 'twitter:card', posterUrl === null ? 'summary' : 'summary_large_image'],
  ]
  if (posterUrl !== null) tags.push(['property', 'og:image', posterUrl])
  if (open !== null)
    tags.push(
      ['property', 'og:video:url', open.playerUrl],
      ['property', 'og:video:type', 'text/html'],
    )
  return tags
    .map(([kind, name, content]) => `<meta ${kind}="${name}" content="${escapeHtml(content)}">`)
    .join('\n')
}
