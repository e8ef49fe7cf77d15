import { createHmac, timingSafeEqual } from 'node:crypto'
import { VIEWER_ID_MAX_BYTES, VIEWER_ID_MAX_LENGTH } from '../domain/limits.ts'
import { decodeBase64Url } from './base64url.ts'

export interface ViewerClaims {
  viewerId: string
  /** Unix time in seconds. */
  expiresAtSeconds: number
}

export type ViewerTokenVerdict =
  { ok: true; claims: ViewerClaims } | { ok: false; reason: 'malformed' | 'forged' | 'expired' }

/**
 * Signs a viewer token (spec, "Viewer token", rules 1 to 4): payload and signature in unpadded
 * base64url, HMAC-SHA256 over the payload's characters, keyed by the secret's text as it stands.
 */
export function signViewerToken(claims: ViewerClaims, signingSecret: string): string {
  const json = JSON.stringify({ vid: claims.viewerId, exp: claims.expiresAtSeconds })
  const payload = Buffer.from(json, 'utf8').toString('base64url')
  return `${payload}.${signature(payload, signingSecret).toString('base64url')}`
}

/**
 * Judges a token: shape, then signature in constant time, then payload, then expiry. Any JSON
 * spelling of the payload is accepted (rule 4); a token is valid while `nowMs` is before its `exp`.
 */
export function verifyViewerToken(
  vt: string,
  signingSecret: string,
  nowMs: number,
): ViewerTokenVerdict {
  if (vt.length > 2048) return { ok: false, reason: 'malformed' }
  const [payload, sig, ...rest] = vt.split('.')
  if (payload === undefined || sig === undefined || rest.length > 0)
    return { ok: false, reason: 'malformed' }
  const sent = decodeBase64Url(sig)
  const expected = signature(payload, signingSecret)
  const same = sent !== null && sent.length === expected.length && timingSafeEqual(sent, expected)
  if (!same) return { ok: false, reason: 'forged' }
  const claims = parseClaims(payload)
  if (!claims) return { ok: false, reason: 'malformed' }
  if (claims.expiresAtSeconds * 1000 <= nowMs) return { ok: false, reason: 'expired' }
  return { ok: true, claims }
}

/** True for text that may be signed as a viewer id: 1 to 64 characters, at most 64 bytes, no controls. */
export function isViewerId(text: string): boolean {
  if (text.length === 0 || text.length > VIEWER_ID_MAX_LENGTH) return false
  if (Buffer.byteLength(text, 'utf8') > VIEWER_ID_MAX_BYTES) return false
  return text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}

function signature(payload: string, signingSecret: string): Buffer {
  return createHmac('sha256', signingSecret).update(payload).digest()
}

function parseClaims(payload: string): ViewerClaims | null {
  const bytes = decodeBase64Url(payload)
  if (!bytes) return null
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return null
  }
  if (typeof body !== 'object' || body === null || !('vid' in body) || !('exp' in body)) return null
  const { vid, exp } = body
  if (typeof vid !== 'string' || !isViewerId(vid)) return null
  if (typeof exp !== 'number' || !Number.isSafeInteger(exp) || exp < 0) return null
  return { viewerId: vid, expiresAtSeconds: exp }
}
