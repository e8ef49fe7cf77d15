import type { Response } from 'express'
import { requestIdOf } from '../../processes/request-log.ts'
import type { Assets } from './assets.ts'
import { chooseLanguage } from './choose-language.ts'
import { messagePage } from './pages/message-page.ts'
import type { Page } from './pages/refusals.ts'
import type { PageTexts } from './pages/texts/page-texts.ts'
import { textsOf } from './pages/texts/texts-of.ts'

/**
 * Headers of the player's page: nothing but our own host may be loaded, no inline script, framed only
 * where the domain rules let it, and never cached, since the address may carry a token.
 */
export function setPageHeaders(response: Response, mediaBase = ''): void {
  setHeaders(response, [
    "script-src 'self'",
    // Media Chrome's elements carry their style in their shadow roots.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    `connect-src 'self' blob: ${mediaBase}`.trim(),
    frameAncestorsOf(response),
  ])
}

/** Headers of a page that runs no script and may load its style and what `more` names. */
export function setStaticPageHeaders(response: Response, ...more: string[]): void {
  setHeaders(response, ["script-src 'none'", "style-src 'self'", ...more])
}

function setHeaders(response: Response, policy: string[]): void {
  const always = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"]
  response.set({
    'Content-Security-Policy': [...always, ...policy].join('; '),
    'Cache-Control': 'private, no-store',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Robots-Tag': 'noindex',
    'Content-Type': 'text/html; charset=utf-8',
    Vary: 'Referer, Origin, User-Agent, Accept-Language',
  })
}

/**
 * Where the page may be framed. What the domain rules have not let in yet may be framed everywhere:
 * it holds nothing but words, and whoever is refused is to see them instead of the browser's error.
 */
function frameAncestorsOf(response: Response): string {
  const sources = (response.locals.frameAncestors as string[] | undefined) ?? ['*']
  return `frame-ancestors ${sources.length > 0 ? sources.join(' ') : "'none'"}`
}

/** Sends a page that says what happened, in the viewer's language. */
export function sendMessage(
  response: Response,
  assets: Assets,
  pageIn: (texts: PageTexts) => Page,
): void {
  const language = chooseLanguage(response.req)
  const texts = textsOf(language)
  const { status, refresh, ...message } = pageIn(texts)
  setStaticPageHeaders(response, frameAncestorsOf(response))
  // In the header and not in the page: the address may hold a token.
  if (refresh) response.set('Refresh', `${refresh.seconds};url=${refresh.url}`)
  response.status(status).send(
    messagePage(message, {
      ...{ language, forOwner: texts.forOwner, request: texts.request },
      ...{ requestId: requestIdOf(response), styleUrl: assets.pageStyleUrl },
    }),
  )
}
