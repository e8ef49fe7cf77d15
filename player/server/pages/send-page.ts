import type { Response } from 'express'
import type { Language } from '../../../domain/language.ts'
import type { PlaybackCause } from '../../../domain/playback-reports/playback-causes.ts'
import { chooseLanguage } from '../../../http/pages/choose-language.ts'
import { getRequestId } from '../../../processes/request-log.ts'
import type { Assets } from '../assets/assets.ts'
import type { ServerContext } from '../deps.ts'
import { newFailureCode, noteRefusal, type RefusalFacts } from '../playback-reports/note-refusal.ts'
import { textsOf } from './choose-texts.ts'
import { messagePage } from './message-page.ts'
import type { Page } from './refusals.ts'
import type { PageTexts } from './texts/page-texts.ts'

interface PageLocals {
  /** Sources of the `frame-ancestors` directive; set once the domain rules have allowed the site. */
  frameAncestors?: string[]
  /** For the request log. */
  accountId?: number
  /** True if the flood gate has counted the refusal already. */
  isCounted?: boolean
  /** What is known so far, for the report of a refusal. */
  refusal?: RefusalFacts
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
  // A native player fetches segments without CORS, and not every storage sends a resource policy.
  if (!playsHls) response.set(ISOLATED)
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
  response.set(ISOLATED)
  setHeaders(response, ["script-src 'none'", ...STYLES, ...more])
}

const STYLES = ["style-src 'self'", "font-src 'self'"]

/** Pages with an embedder policy of their own frame only pages that have one too. */
const ISOLATED = { 'Cross-Origin-Embedder-Policy': 'require-corp' }

const setHeaders = (response: PageResponse, policy: string[]): void =>
  void response.set(headersOf(policy))

function headersOf(policy: string[]): Record<string, string> {
  const always = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"]
  return {
    'Content-Security-Policy': [...always, ...policy].join('; '),
    'Cache-Control': 'private, no-store',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Robots-Tag': 'noindex',
    'Content-Type': 'text/html; charset=utf-8',
    Vary: 'Referer, Origin, User-Agent, Accept-Language',
  }
}

/**
 * Any site may frame a page that the domain rules have not allowed yet: it holds only a message, which
 * the viewer should see instead of the browser's own error.
 */
function frameAncestorsOf({ locals: { frameAncestors = ['*'] } }: PageResponse): string {
  return `frame-ancestors ${frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'"}`
}

/** Sends a message page in the viewer's language, with the code of its report. */
export function sendMessage(
  response: PageResponse,
  context: Pick<ServerContext, 'assets' | 'reports' | 'limits'>,
  pageIn: (texts: PageTexts) => Page,
): void {
  const { status, headers, html } = renderMessage(context.assets, pageIn, {
    language: chooseLanguage(response.req),
    requestId: getRequestId(response),
    codeOf: (cause) => noteRefusal(context, response, cause),
    frameAncestors: frameAncestorsOf(response),
  })
  response.status(status).set(headers).send(html)
}

/** A message page as it is sent. */
export interface RenderedMessage {
  status: number
  headers: Record<string, string>
  html: string
}

/** Renders a message page that any site may frame, for a response that is not logged and has neither an id nor a report. */
export const renderUnloggedMessage = (
  assets: Assets,
  pageIn: (texts: PageTexts) => Page,
  language: Language,
): RenderedMessage =>
  renderMessage(assets, pageIn, {
    language,
    requestId: null,
    codeOf: newFailureCode,
    frameAncestors: 'frame-ancestors *',
  })

function renderMessage(
  assets: Assets,
  pageIn: (texts: PageTexts) => Page,
  {
    language,
    requestId,
    codeOf,
    frameAncestors,
  }: {
    language: Language
    requestId: string | null
    codeOf: (cause: PlaybackCause) => string
    frameAncestors: string
  },
): RenderedMessage {
  const texts = textsOf(language)
  const { status, ...message } = pageIn(texts)
  const scripts = `script-src ${message.advice ? "'self'" : "'none'"}`
  const headers = { ...headersOf([scripts, ...STYLES, frameAncestors]), ...ISOLATED }
  const { pageStyleUrl: styleUrl, copyDetailsUrl: scriptUrl } = assets
  const reportCode = codeOf(message.code)
  const html = messagePage(message, {
    language,
    texts,
    reportCode,
    requestId,
    styleUrl,
    scriptUrl,
  })
  return { status, headers, html }
}
