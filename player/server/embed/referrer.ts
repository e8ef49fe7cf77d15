import type { Request } from 'express'
import { normaliseHost } from '../../../domain/host-name.ts'
import { signReferrer, verifyReferrer } from '../../../security/referrer-ticket.ts'

const sentReferrer = (request: Request): string | null =>
  request.get('Referer') || request.get('Origin') || null

/**
 * The site that frames us: what the browser says, or what it said when the page began to wait. A page
 * that loads itself names itself, and then its ticket counts, however long it slept. In an address
 * that somebody passed on it does not: another page is named there, or none and the ticket gets old.
 */
export function referrerOf(request: Request, key: Buffer, embedBase: string): string | null {
  const sent = sentReferrer(request)
  const { from } = request.query
  const ticket =
    typeof from === 'string'
      ? verifyReferrer(from, String(request.params.videoId), key, Date.now())
      : null
  if (!ticket) return sent
  if (sent === null) return ticket.isFresh ? ticket.referrer : null
  // A proxy may ask for us by another name than the browser does.
  const ours = [normaliseHost(request.hostname ?? ''), normaliseHost(embedBase)]
  return ours.includes(normaliseHost(sent)) ? ticket.referrer : sent
}

/**
 * Where a page that waits goes next: the same address, with the site that first framed it, signed
 * anew. Everything else of the query stays as it is.
 */
export function refreshUrl(
  key: Buffer,
  videoId: string,
  request: Request,
  referrer: string | null,
): string {
  const query = new URLSearchParams(request.originalUrl.split('?')[1])
  query.set('from', signReferrer(referrer ?? '', videoId, key, Date.now()))
  return `${request.path}?${query.toString()}`
}
