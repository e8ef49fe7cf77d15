import { isSigned, signText } from './hmac.ts'
import type { SigningKeys } from './hmac.ts'

const FRESH_MS = 10 * 60_000
const REFERRER_MAX_LENGTH = 512

/** The content of a genuine ticket. */
export interface ReferrerTicket {
  /** The site that framed the page. */
  referrer: string
  /** True for the ten minutes after it was signed. */
  isFresh: boolean
}

/** Signs the site that framed a waiting page. The ticket is valid only for this video. */
export function signReferrer(
  referrer: string,
  videoId: string,
  keys: SigningKeys,
  nowMs: number,
): string {
  const site = referrer.slice(0, REFERRER_MAX_LENGTH)
  const payload = Buffer.from(`${nowMs + FRESH_MS} ${site}`).toString('base64url')
  return `${payload}.${signText(keys, signedText(payload, videoId))}`
}

/** Reads a ticket; returns null if it is not a genuine ticket of this video. */
export function verifyReferrer(
  ticket: string,
  videoId: string,
  keys: SigningKeys,
  nowMs: number,
): ReferrerTicket | null {
  const [payload = '', signature = ''] = ticket.split('.')
  if (!isSigned(keys, signedText(payload, videoId), signature)) return null
  const [, freshUntil = '0', referrer = ''] =
    /^(\d+) (.*)$/s.exec(Buffer.from(payload, 'base64url').toString('utf8')) ?? []
  return { referrer, isFresh: Number(freshUntil) > nowMs }
}

const signedText = (payload: string, videoId: string): string => `referrer ${videoId} ${payload}`
