import type { Response } from 'express'
import { requestIdOf } from '../../../processes/request-log.ts'
import type { Assets } from '../assets/assets.ts'
import { chooseLanguage } from '../../../pages/choose-language.ts'
import { textsOf } from './choose-texts.ts'
import { messagePage } from './message-page.ts'
import type { Page } from './refusals.ts'
import type { PageTexts } from './texts/page-texts.ts'

interface PageLocals {
  /** Sources of the `frame-ancestors` directive; set once the domain rules have allowed the site. */
  frameAncestors?: string[]
  /** For the request log. */
  accountId?: number
}

/** A response that carries an HTML page. */
export type PageResponse = Response<unknown, PageLocals>

/**
 * Sets the headers of the player page. Only this host's files may be loaded, no inline scripts run, and
 * only sites that the domain rules allow may frame it. It is never cached, because its address may
 * contain a viewer token. With `playsHls`, a native player may load segments itself.
 */
export function setPageHeaders(
  response: PageResponse,
  mediaOrigins: string,
  { playsHls }: { playsHls: boolean },
): void {
  setHeaders(response, [
    "script-src 'self'",
    // Media Chrome's elements have inline styles in their shadow roots.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `media-src 'self' blob:${playsHls ? ` ${mediaOrigins}` : ''}`,
    `connect-src 'self' blob: ${mediaOrigins}`,
    frameAncestorsOf(response),
  ])
}

/** Sets the headers of a page without scripts. `more` adds directives to its policy. */
export function setStaticPageHeaders(response: PageResponse, ...more: string[]): void {
  setHeaders(response, ["script-src 'none'", "style-src 'self'", ...more])
}

function setHeaders(response: PageResponse, policy: string[]): void {
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
 * Any site may frame a page that the domain rules have not allowed yet: it holds only a message, which
 * the viewer should see instead of the browser's own error.
 */
function frameAncestorsOf({ locals: { frameAncestors = ['*'] } }: PageResponse): string {
  return `frame-ancestors ${frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'"}`
}

/** Sends a message page in the viewer's language. */
export function sendMessage(
  response: PageResponse,
  assets: Assets,
  pageIn: (texts: PageTexts) => Page,
): void {
  const language = chooseLanguage(response.req)
  const texts = textsOf(language)
  const { status, ...message } = pageIn(texts)
  setHeaders(response, [
    `script-src ${message.advice ? "'self'" : "'none'"}`,
    "style-src 'self'",
    frameAncestorsOf(response),
  ])
  const html = messagePage(message, {
    language,
    texts,
    requestId: requestIdOf(response),
    styleUrl: assets.pageStyleUrl,
    scriptUrl: assets.copyDetailsUrl,
  })
  response.status(status).send(html)
}
