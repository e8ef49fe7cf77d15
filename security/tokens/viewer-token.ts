import { createHmac } from 'node:crypto'
import { VIEWER_TOKEN_EXPIRY_MAX_SECONDS } from '../../domain/limits.ts'
import { isViewerId } from '../../domain/playback/viewer-id.ts'
import { decodeBase64Url } from '../base64url.ts'
import { isSameHmac } from '../hmac.ts'

export interface ViewerClaims {
  viewerId: string
  /** Unix time in seconds. */
  expiresAtSeconds: number
}

export type ViewerTokenVerdict =
  | { ok: true; claims: ViewerClaims }
  | { ok: false; reason: 'malformed' | 'forged' | 'expired' | 'exp_in_milliseconds' }

/**
 * Signs a viewer token (contract, "Viewer token", rules 1 to 4): payload and signature in unpadded
 * base64url, with an HMAC-SHA256 over the payload's characters. The key is the secret's text, not
 * decoded from hex.
 */
export function signViewerToken(claims: ViewerClaims, signingSecret: string): string {
  const json = JSON.stringify({ vid: claims.viewerId, exp: claims.expiresAtSeconds })
  const payload = Buffer.from(json, 'utf8').toString('base64url')
  return `${payload}.${signatureOf(payload, signingSecret)}`
}

/** The parts of a received token, not verified yet. */
export interface SentToken {
  text: string
  /** The signed part; empty if the text is too long for a token. */
  payload: string
  signature: string
  /** True for text with exactly one dot. */
  hasShape: boolean
  /** The claims of the payload, even if the signature is wrong; null if the payload is invalid. */
  claims: ViewerClaims | null
}

const TOKEN_MAX_LENGTH = 2048

/**
 * Splits any text into the parts of a token. Callers can look up its claims, but must not trust
 * them before `verifyViewerToken` has accepted the token.
 */
export function readViewerToken(text: string): SentToken {
  const readable = text.length > TOKEN_MAX_LENGTH ? '' : text
  const [payload = '', signature = '', ...rest] = readable.split('.')
  const hasShape = readable.includes('.') && rest.length === 0
  return { text, payload, signature, hasShape, claims: parseClaims(payload) }
}

/**
 * Verifies a token: signature, then payload, then expiry. It accepts any JSON spelling of the
 * payload (rule 4). Payload and signature must be canonical base64url: no padding, no white space,
 * no spare bits. A token is valid while `nowMs` is before its `exp`, unless `exp` can only be a
 * time in milliseconds, with which the token would be valid for thousands of years.
 *
 * Valid and invalid signatures take the same steps: the payload is parsed, the HMAC is computed and
 * all 43 characters are compared, so the duration reveals nothing about the right signature.
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
