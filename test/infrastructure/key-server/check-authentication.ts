import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** What a key server expects of a request, with its own opinion of each scheme. */
export type Expected =
  | { kind: 'basic' | 'digest'; username: string; password: string; algorithm?: string }
  | { kind: 'sigv4'; region: string; accessKey: string; secretKey: string; sessionToken?: string }

export interface ReceivedRequest {
  method: string
  /** Path and query. */
  path: string
  headers: IncomingHttpHeaders
  body: string
}

const NONCE = 'dcd98b7102dd2f0e8b11d0f600bfb0c093'

/** Returns null if the request is authentic, otherwise the WWW-Authenticate header of the 401; empty for none. */
export function challengeFor(request: ReceivedRequest, expected: Expected): string | null {
  switch (expected.kind) {
    case 'basic': {
      const { username, password } = expected
      const credentials = Buffer.from(`${username}:${password}`).toString('base64')
      return request.headers.authorization === `Basic ${credentials}` ? null : 'Basic realm="keys"'
    }
    case 'digest':
      return isDigestOf(request, expected)
        ? null
        : `Digest realm="keys, of \\"all\\"", qop="auth,auth-int", algorithm=${expected.algorithm ?? 'MD5'}, nonce="${NONCE}", opaque="5ccc"`
    case 'sigv4':
      return isSigned(request, expected) ? null : ''
  }
}

/** RFC 7616, section 3.4. */
function isDigestOf(
  { method, path, headers }: ReceivedRequest,
  { username, password, algorithm = 'MD5' }: Extract<Expected, { kind: 'basic' | 'digest' }>,
): boolean {
  const header = headers.authorization ?? ''
  const field = (name: string): string =>
    new RegExp(`[ ,]${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^",]+))`)
      .exec(header)
      ?.slice(1)
      .find((one) => one !== undefined)
      ?.replaceAll(/\\(.)/g, '$1') ?? ''
  const hash = (text: string): string =>
    createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex')
  const a1 = hash(`${username}:keys, of "all":${password}`)
  const a2 = hash(`${method}:${path}`)
  const [nc, cnonce] = [field('nc'), field('cnonce')]
  const response = hash(`${a1}:${NONCE}:${nc}:${cnonce}:auth:${a2}`)
  return (
    header.startsWith('Digest ') &&
    field('username') === username &&
    field('uri') === path &&
    field('nonce') === NONCE &&
    field('opaque') === '5ccc' &&
    cnonce !== '' &&
    field('response') === response
  )
}

/** AWS, "Signature Version 4": the canonical request, the string to sign, the derived key. */
function isSigned(
  { method, path, headers, body }: ReceivedRequest,
  { region, accessKey, secretKey, sessionToken }: Extract<Expected, { kind: 'sigv4' }>,
): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/execute-api\/aws4_request, SignedHeaders=([^,]+), Signature=([\da-f]{64})$/
  const [, key, day = '', where = '', names = '', signature] =
    pattern.exec(headers.authorization ?? '') ?? []
  const time = String(headers['x-amz-date'] ?? '')
  if (key !== accessKey || where !== region || !time.startsWith(day)) return false
  if (headers['x-amz-security-token'] !== sessionToken) return false
  if (!names.split(';').includes('host') || !names.split(';').includes('x-speke-version'))
    return false
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
  const hmac = (secret: string | Buffer, text: string): Buffer =>
    createHmac('sha256', secret).update(text).digest()
  const url = new URL(path, 'https://keys.test')
  const query = [...url.searchParams]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .toSorted()
    .join('&')
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, url.pathname, query, lines.join(''), names, sha256(body)].join('\n')
  const scope = `${day}/${region}/execute-api/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const signingKey = [day, region, 'execute-api', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${secretKey}`,
  )
  return hmac(signingKey, text).toString('hex') === signature
}
