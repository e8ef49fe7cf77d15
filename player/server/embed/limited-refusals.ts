import type { Request } from 'express'
import type { Language } from '../../../domain/language.ts'
import type { EmbedDecision } from '../../../domain/playback/embed-access.ts'
import { chooseLanguage } from '../../../http/pages/choose-language.ts'
import { limitedRequests } from '../../../metrics/playback.ts'
import type { Assets } from '../assets/assets.ts'
import type { ServerContext } from '../deps.ts'
import { retryAfterSeconds } from '../limits/anonymous-limits.ts'
import { tooMany } from '../pages/refusals.ts'
import {
  renderUnloggedMessage,
  sendMessage,
  type PageResponse,
  type RenderedMessage,
} from '../pages/send-page.ts'
import type { Viewer } from './embed-request.ts'

/** True for a decision that counts as a refusal of the network: one that is recorded, without a valid viewer token. */
export const isLimited = ({ token }: Viewer, { kind }: EmbedDecision): boolean =>
  token !== 'valid' && (kind === 'refused' || kind === 'token_required')

const MINUTE_MS = 60_000

/** How long a request waits to try again while too many events are not written yet. */
const BUSY_MS = 1000

/** Counts a refusal and returns 0, or returns the milliseconds until the network may have one. */
export function takeRefusal(
  { limits, recorder }: Pick<ServerContext, 'limits' | 'recorder'>,
  request: Request,
  { locals }: PageResponse,
): number {
  if (recorder.isFull()) return BUSY_MS
  return locals.isCounted === true ? 0 : limits.refusals.take(limits.networksOf(request))
}

/** Sends the page of a request that is not decided, because its network has too many refusals. */
export function sendTooMany(response: PageResponse, context: ServerContext, waitMs: number): void {
  limitedRequests.inc({ limit: 'refusals' })
  response.set('Retry-After', retryAfterSeconds(waitMs))
  sendMessage(response, context, tooMany)
}

/**
 * Returns a function that sends the same page without Express, whose overhead is most of what such a response costs. All
 * responses of a minute share their code, and no report is kept.
 */
export function tooManySender(assets: Assets) {
  const rendered = new Map<Language, RenderedMessage & { body: Buffer }>()
  let minute = 0
  const pageIn = (language: Language): RenderedMessage & { body: Buffer } => {
    const now = Math.floor(Date.now() / MINUTE_MS)
    if (now !== minute) rendered.clear()
    minute = now
    const known = rendered.get(language)
    if (known) return known
    const page = renderUnloggedMessage(assets, tooMany, language)
    const encoded = { ...page, body: Buffer.from(page.html) }
    rendered.set(language, encoded)
    return encoded
  }
  return (response: PageResponse, waitMs: number, headers: Record<string, string>): void => {
    limitedRequests.inc({ limit: 'refusals' })
    const page = pageIn(chooseLanguage(response.req))
    response
      .writeHead(page.status, {
        ...page.headers,
        ...headers,
        'X-Content-Type-Options': 'nosniff',
        'Retry-After': retryAfterSeconds(waitMs),
        'Content-Length': page.body.length,
      })
      .end(page.body)
  }
}
