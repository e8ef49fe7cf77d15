import { z } from 'zod'
import { parseJson } from '../../domain/parse-json.ts'
import type { PlaybackSession } from '../../domain/playback/playback-session.ts'
import { isSigned, signText, type SigningKeys } from '../hmac.ts'

/** Lifetime of a session token; each heartbeat renews it. */
export const SESSION_TTL_MS = 5 * 60_000
/**
 * How long a heartbeat can renew an expired token, after a network failure or a suspended browser.
 */
export const SESSION_GRACE_MS = 60_000

const TOKEN_MAX_LENGTH = 1024

const claims = z.strictObject({
  sid: z.string(),
  vid: z.string(),
  acc: z.int(),
  vwr: z.string().nullable(),
  ver: z.int(),
  ref: z.string().nullable(),
  beg: z.int(),
  exp: z.int(),
  /** Only for a member. */
  mem: z.literal(true).optional(),
})

/** Signs a session for five minutes. `keys` are derived from the master keys for this purpose. */
export function signSession(session: PlaybackSession, keys: SigningKeys, nowMs: number): string {
  const body = {
    sid: session.sessionId,
    vid: session.videoId,
    acc: session.accountId,
    vwr: session.viewerId,
    ver: session.secretVersion,
    ref: session.refererHost,
    beg: session.startedAtMs,
    exp: nowMs + SESSION_TTL_MS,
    ...(session.isMember && { mem: true }),
  }
  const payload = Buffer.from(JSON.stringify(body)).toString('base64url')
  return `${payload}.${signText(keys, payload)}`
}

/**
 * Returns the session of a genuine token that expired at most `graceMs` ago; returns null for any
 * other text.
 */
export function verifySession(
  token: string,
  keys: SigningKeys,
  nowMs: number,
  graceMs = 0,
): PlaybackSession | null {
  if (token.length > TOKEN_MAX_LENGTH) return null
  const [payload = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || !isSigned(keys, payload, signature)) return null
  const body = claims.safeParse(parseJson(Buffer.from(payload, 'base64url').toString('utf8')))
  if (!body.success || body.data.exp + graceMs <= nowMs) return null
  const { sid, vid, acc, vwr, ver, ref, beg, mem } = body.data
  return {
    sessionId: sid,
    videoId: vid,
    accountId: acc,
    viewerId: vwr,
    secretVersion: ver,
    refererHost: ref,
    startedAtMs: beg,
    ...(mem && { isMember: true }),
  }
}
