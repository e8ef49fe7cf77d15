import { timingSafeEqual } from 'node:crypto'
import { decodeBase64Url } from './base64url.ts'
import { hmacSha256 } from './hmac.ts'

const TICKET_TTL_MS = 10 * 60_000
const REFERRER_MAX_LENGTH = 2048

/** Notes which site framed a page that now waits; good for this video and for ten minutes. */
export function signReferrer(
  referrer: string,
  videoId: string,
  key: Buffer,
  nowMs: number,
): string {
  const origin = referrer.slice(0, REFERRER_MAX_LENGTH)
  const payload = Buffer.from(`${nowMs + TICKET_TTL_MS} ${origin}`).toString('base64url')
  return `${payload}.${mac(payload, videoId, key).toString('base64url')}`
}

/** The site that a genuine, live ticket of this video names; null for any other text. */
export function verifyReferrer(
  ticket: string,
  videoId: string,
  key: Buffer,
  nowMs: number,
): string | null {
  const [payload = '', signature = ''] = ticket.split('.')
  const sent = decodeBase64Url(signature)
  const expected = mac(payload, videoId, key)
  if (sent?.length !== expected.length || !timingSafeEqual(sent, expected)) return null
  const [, expires = '0', referrer = ''] =
    /^(\d+) (.*)$/s.exec(Buffer.from(payload, 'base64url').toString('utf8')) ?? []
  return Number(expires) > nowMs ? referrer : null
}

const mac = (payload: string, videoId: string, key: Buffer): Buffer =>
  hmacSha256(key, `referrer ${videoId} ${payload}`)
