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

/** Of an HMAC-SHA256 in unpadded base64url. */
const SIGNATURE_LENGTH = 43
const TOKEN_MAX_LENGTH = 2048

/**
 * Judges a token: signature, then payload, then expiry. Any JSON spelling of the payload is accepted
 * (rule 4); payload and signature have one base64url spelling each: no padding, no white space, no
 * spare bits. A token is valid while `nowMs` is before its `exp`.
 *
 * A good and a bad signature take the same steps: the HMAC is made and the payload read either way,
 * and all 43 characters are compared, so the time tells nothing of the right signature.
 */
export function verifyViewerToken(
  vt: string,
  signingSecret: string,
  nowMs: number,
): ViewerTokenVerdict {
  if (vt.length > TOKEN_MAX_LENGTH) return { ok: false, reason: 'malformed' }
  const { payload, sent, hasShape } = splitToken(vt)
  const expected = signature(payload, signingSecret).toString('base64url')
  const isSigned = equalInConstantTime(sent, expected)
  const claims = parseClaims(payload)
  if (!hasShape) return { ok: false, reason: 'malformed' }
  if (!isSigned) return { ok: false, reason: 'forged' }
  if (!claims) return { ok: false, reason: 'malformed' }
  if (claims.expiresAtSeconds * 1000 <= nowMs) return { ok: false, reason: 'expired' }
  return { ok: true, claims }
}

/**
 * The viewer id that a token claims, whoever signed it; null for what names none. Nobody is to be
 * believed for it: it may only be looked up, and used once `verifyViewerToken` has let the token pass.
 */
export const claimedViewerId = (vt: unknown): string | null =>
  typeof vt === 'string' && vt.length <= TOKEN_MAX_LENGTH
    ? (parseClaims(splitToken(vt).payload)?.viewerId ?? null)
    : null

/** True for text that may be signed as a viewer id: 1 to 64 characters, at most 64 bytes, no controls. */
export function isViewerId(text: string): boolean {
  if (text.length === 0 || text.length > VIEWER_ID_MAX_LENGTH) return false
  if (Buffer.byteLength(text, 'utf8') > VIEWER_ID_MAX_BYTES) return false
  return text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}

function signature(payload: string, signingSecret: string): Buffer {
  return createHmac('sha256', signingSecret).update(payload).digest()
}

/** What stands before the first dot and behind it; exactly one dot is the shape of a token. */
function splitToken(vt: string): { payload: string; sent: string; hasShape: boolean } {
  const [payload = '', sent = '', ...rest] = vt.split('.')
  return { payload, sent, hasShape: vt.includes('.') && rest.length === 0 }
}

/** Compares as many bytes whatever was sent; text of another length is never equal. */
function equalInConstantTime(sent: string, expected: string): boolean {
  const bytes = Buffer.alloc(SIGNATURE_LENGTH)
  bytes.write(sent, 'utf8')
  const isSame = timingSafeEqual(bytes, Buffer.from(expected, 'utf8'))
  return Buffer.byteLength(sent, 'utf8') === SIGNATURE_LENGTH && isSame
}

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
