import type { Request } from 'express'
import { normaliseHost } from '../../../domain/host-name.ts'
import { signReferrer, verifyReferrer } from '../../../security/referrer-ticket.ts'

const sentReferrer = (request: Request): string | null =>
  request.get('Referer') || request.get('Origin') || null

/**
 * Returns the address of the site that frames the page, or null. A waiting page reloads itself, and the
 * browser then names the page as its own referrer. The signed ticket in its address replaces that, at
 * any age. In an address that was shared, the ticket does not help: another site is the referrer, or
 * none, and without a referrer only a fresh ticket counts.
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
  // Behind a proxy, the request's host may differ from the one in the browser's address bar.
  const ownHosts = [normaliseHost(request.hostname ?? ''), normaliseHost(embedBase)]
  return ownHosts.includes(normaliseHost(sent)) ? ticket.referrer : sent
}

/** Returns the address that a waiting page reloads: its own, with a new ticket for its site. */
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
