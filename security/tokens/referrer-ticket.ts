import { isSigned, signText, type SigningKeys } from '../hmac.ts'

const REFERRER_MAX_LENGTH = 512

/**
 * Signs the site that framed a player page, for the page about missing hardware protection that it loads instead
 * of itself. The ticket is valid only for this video.
 */
export function signReferrer(referrer: string, videoId: string, keys: SigningKeys): string {
  const payload = Buffer.from(referrer.slice(0, REFERRER_MAX_LENGTH)).toString('base64url')
  return `${payload}.${signText(keys, signedText(payload, videoId))}`
}

/** Returns the site in a ticket; returns null if it is not a genuine ticket of this video. */
export function verifyReferrer(ticket: string, videoId: string, keys: SigningKeys): string | null {
  const [payload = '', signature = '', ...rest] = ticket.split('.')
  if (rest.length > 0 || !isSigned(keys, signedText(payload, videoId), signature)) return null
  return Buffer.from(payload, 'base64url').toString('utf8')
}

/** Begins with the purpose: a text that was signed for another one is not a ticket. */
const signedText = (payload: string, videoId: string): string =>
  `no-hardware-page ${videoId} ${payload}`
