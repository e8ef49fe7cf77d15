import { invalidArgument } from './error.ts'

const VIEWER_ID_MAX_BYTES = 64
const TTL_MIN_SECONDS = 60
const TTL_MAX_SECONDS = 86_400
const TTL_DEFAULT_SECONDS = 21_600

/** The content of a token, and the secret that signs it. */
export interface ViewerTokenOptions {
  /**
   * 1 to 64 visible characters, at most 64 bytes, without control characters and bidirectional
   * controls.
   */
  viewerId: string
  /** Lifetime in seconds: 60 to 86400, six hours by default. */
  ttlSeconds?: number | undefined
  /** Replaces `ttlSeconds`: a time within the next 24 hours. Fractions of a second are removed. */
  expiresAt?: Date | undefined
  /** The account's signing secret as shown: 64 hex characters, used as text. */
  signingSecret: string
}

/**
 * Signs a viewer token without a request (contract, "Viewer token", rules 1 to 6). For the same
 * viewer and expiry, the token has the same bytes as that of `playbackTokens.create`, and it is
 * valid for every video of the account. Only for servers: the secret can sign a token for any
 * viewer. Throws ReelgateError invalid_parameter.
 */
export async function signViewerToken(options: ViewerTokenOptions): Promise<string> {
  const { viewerId, signingSecret } = options
  checkViewerId(viewerId)
  if (!/^[0-9a-f]{64}$/i.test(signingSecret))
    throw invalidArgument(
      'signingSecret',
      'must be the signing secret of the account: 64 hex characters',
    )
  const json = JSON.stringify({ vid: viewerId, exp: expiryOf(options) })
  const payload = base64Url(encode(json))
  const key = await crypto.subtle.importKey(
    'raw',
    encode(signingSecret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const signature = await crypto.subtle.sign('HMAC', key, encode(payload))
  return `${payload}.${base64Url(new Uint8Array(signature))}`
}

/**
 * \p{Cs}: a lone surrogate has no encoding in UTF-8. Bidirectional controls reorder a watermark.
 */
const REFUSED = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
/** Empty text, and text of which nothing is visible. */
const BLANK = /^[\p{Z}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*$/u

function checkViewerId(viewerId: string): void {
  const isPlain = typeof viewerId === 'string' && !REFUSED.test(viewerId) && !BLANK.test(viewerId)
  if (!isPlain || encode(viewerId).length > VIEWER_ID_MAX_BYTES)
    throw invalidArgument(
      'viewerId',
      'must be 1 to 64 visible characters (at most 64 bytes), without control characters and bidirectional controls',
    )
}

/** Returns the expiry as Unix time in seconds. */
function expiryOf({ ttlSeconds, expiresAt }: ViewerTokenOptions): number {
  const nowSeconds = Math.floor(Date.now() / 1000)
  if (expiresAt !== undefined) {
    if (ttlSeconds !== undefined)
      throw invalidArgument('expiresAt', 'cannot be combined with ttlSeconds')
    const seconds = Math.floor(expiresAt.getTime() / 1000)
    if (seconds > nowSeconds && seconds <= nowSeconds + TTL_MAX_SECONDS) return seconds
    throw invalidArgument('expiresAt', 'must be within the next 24 hours')
  }
  const ttl = ttlSeconds ?? TTL_DEFAULT_SECONDS
  if (!Number.isInteger(ttl) || ttl < TTL_MIN_SECONDS || ttl > TTL_MAX_SECONDS)
    throw invalidArgument('ttlSeconds', `must be ${TTL_MIN_SECONDS} to ${TTL_MAX_SECONDS}`)
  return nowSeconds + ttl
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
