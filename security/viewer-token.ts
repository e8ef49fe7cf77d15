import { createHmac } from 'node:crypto'
import { VIEWER_TOKEN_EXPIRY_MAX_SECONDS } from '../domain/limits.ts'
import { isViewerId } from '../domain/viewer-id.ts'
import { decodeBase64Url } from './base64url.ts'
import { isSameHmac } from './hmac.ts'

export interface ViewerClaims {
  viewerId: string
  /** Unix time in seconds. */
  expiresAtSeconds: number
}

export type ViewerTokenVerdict =
  | { ok: true; claims: ViewerClaims }
  | { ok: false; reason: 'malformed' | 'forged' | 'expired' | 'exp_in_milliseconds' }

/**
 * Signs a viewer token (spec, "Viewer token", rules 1 to 4): payload and signature in unpadded
 * base64url, HMAC-SHA256 over the payload's characters, keyed by the secret's text as it stands.
 */
export function signViewerToken(claims: ViewerClaims, signingSecret: string): string {
  const json = JSON.stringify({ vid: claims.viewerId, exp: claims.expiresAtSeconds })
  const payload = Buffer.from(json, 'utf8').toString('base64url')
  return `${payload}.${signatureOf(payload, signingSecret)}`
}

/** A token as it was sent: taken apart, and not to be believed yet. */
export interface SentToken {
  text: string
  /** What the signature covers; empty where the text is too long for a token. */
  payload: string
  signature: string
  /** True for text with one dot in it. */
  hasShape: boolean
  /** What the payload says, whoever signed it; null where it is none. */
  claims: ViewerClaims | null
}

const TOKEN_MAX_LENGTH = 2048

/** Takes any text apart. Its claims may be looked up, and used once `verifyViewerToken` let it pass. */
export function readViewerToken(text: string): SentToken {
  const readable = text.length > TOKEN_MAX_LENGTH ? '' : text
  const [payload = '', signature = '', ...rest] = readable.split('.')
  const hasShape = readable.includes('.') && rest.length === 0
  return { text, payload, signature, hasShape, claims: parseClaims(payload) }
}

/**
 * Judges a token: signature, then payload, then expiry. Any JSON spelling of the payload is accepted
 * (rule 4); payload and signature have one base64url spelling each: no padding, no white space, no
 * spare bits. A token is valid while `nowMs` is before its `exp`, unless that can only be a time in
 * milliseconds, which would let it live for thousands of years.
 *
 * A good and a bad signature take the same steps: the payload is read and the HMAC made either way,
 * and all 43 characters are compared, so the time tells nothing of the right signature.
 */
export function verifyViewerToken(
  { payload, signature, hasShape, claims }: SentToken,
  signingSecret: string,
  nowMs: number,
): ViewerTokenVerdict {
  const isSigned = isSameHmac(signature, signatureOf(payload, signingSecret))
  if (!hasShape) return { ok: false, reason: 'malformed' }
  if (!isSigned) return { ok: false, reason: 'forged' }
  if (!claims) return { ok: false, reason: 'malformed' }
  if (claims.expiresAtSeconds > VIEWER_TOKEN_EXPIRY_MAX_SECONDS)
    return { ok: false, reason: 'exp_in_milliseconds' }
  if (claims.expiresAtSeconds * 1000 <= nowMs) return { ok: false, reason: 'expired' }
  return { ok: true, claims }
}

const signatureOf = (payload: string, signingSecret: string): string =>
  createHmac('sha256', signingSecret).update(payload).digest('base64url')

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseClaims(payload: string): ViewerClaims | null {
  const bytes = decodeBase64Url(payload)
  if (!bytes) return null
  let body: unknown
  try {
    body = JSON.parse(utf8.decode(bytes))
  } catch {
    return null
  }
  if (typeof body !== 'object' || body === null || !('vid' in body) || !('exp' in body)) return null
  const { vid, exp } = body
  if (typeof vid !== 'string' || !isViewerId(vid)) return null
  if (typeof exp !== 'number' || !Number.isSafeInteger(exp) || exp < 0) return null
  return { viewerId: vid, expiresAtSeconds: exp }
}
