import type { Request } from 'express'
import { signReferrer, verifyReferrer } from '../../../security/referrer-ticket.ts'

const sentReferrer = (request: Request): string | null =>
  request.get('Referer') || request.get('Origin') || null

/** The site that frames us: what the browser says, or what it said when the page began to wait. */
export function referrerOf(request: Request, key: Buffer): string | null {
  const { from } = request.query
  const videoId = String(request.params.videoId)
  const waited = typeof from === 'string' ? verifyReferrer(from, videoId, key, Date.now()) : null
  return waited ?? sentReferrer(request)
}

/**
 * Where a page that waits goes next. A page that loads itself again sends its own address as
 * Referer, so the address carries the site that it was first framed by, signed.
 */
export function refreshUrl(
  key: Buffer,
  videoId: string,
  request: Request,
  referrer: string | null,
): string {
  const query = new URLSearchParams()
  if (typeof request.query.vt === 'string') query.set('vt', request.query.vt)
  query.set('from', signReferrer(referrer ?? '', videoId, key, Date.now()))
  return `${request.path}?${query.toString()}`
}
