import { createHash, randomUUID } from 'node:crypto'
import { isSigned, signText, type SigningKeys } from '../hmac.ts'

/** A device needs seconds; attesting asks Apple or Google. */
export const APP_CHALLENGE_MS = 2 * 60_000

/** A genuine challenge. It may have been redeemed already. */
export interface AppChallenge {
  /** A UUID. */
  id: string
  expiresAtMs: number
}

/** Returns a challenge for one link. It is not stored: its signature says that it comes from here. */
export function createAppChallenge(
  link: string,
  keys: SigningKeys,
  nowMs: number,
): { text: string; expiresAtMs: number } {
  const [id, expiresAtMs] = [randomUUID(), nowMs + APP_CHALLENGE_MS]
  const payload = `${id}.${expiresAtMs}`
  return { text: `${payload}.${signText(keys, signedText(payload, link))}`, expiresAtMs }
}

/** Reads a challenge; returns null if it is not a genuine one for this link, or has expired. */
export function readAppChallenge(
  text: string,
  link: string,
  keys: SigningKeys,
  nowMs: number,
): AppChallenge | null {
  const [id = '', expires = '', signature = '', ...rest] = text.split('.')
  if (rest.length > 0 || !isSigned(keys, signedText(`${id}.${expires}`, link), signature))
    return null
  const expiresAtMs = Number(expires)
  return expiresAtMs > nowMs ? { id, expiresAtMs } : null
}

const signedText = (payload: string, link: string): string =>
  `app-challenge ${payload} ${createHash('sha256').update(link).digest('hex')}`

/** What an app attests: SHA-256 of the challenge followed by the link, both as UTF-8. */
export const attestedHash = (challenge: string, link: string): Buffer =>
  createHash('sha256').update(challenge).update(link).digest()
