import { createHash, randomBytes } from 'node:crypto'

interface Credentials {
  username: string
  password: string
}

const HASHES: Readonly<Record<string, string>> = {
  md5: 'md5',
  'sha-256': 'sha256',
  'sha-512-256': 'sha512-256',
}

/** A parameter of a challenge: a token, or a quoted string. */
const PARAMETER = /(?<![\w-])([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g

/**
 * Responds to a Digest challenge (RFC 7616; `qop=auth`, or none as in RFC 2069). Returns the Authorization header, or
 * null if the challenge is of another scheme or needs something else. `cnonce` is for tests.
 */
export function digestAuthorization(
  challenge: string,
  { url, method }: { url: string; method: string },
  { username, password }: Credentials,
  cnonce = randomBytes(16).toString('hex'),
): string | null {
  const scheme = /(?:^|,)\s*digest\s+(.*)$/is.exec(challenge)?.[1]
  const given = new Map(
    [...(scheme ?? '').matchAll(PARAMETER)].map(([, name = '', quoted, token]) => [
      name.toLowerCase(),
      quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? '',
    ]),
  )
  const [realm, nonce] = [given.get('realm'), given.get('nonce')]
  const algorithm = given.get('algorithm') ?? 'MD5'
  const hash = HASHES[algorithm.toLowerCase().replace(/-sess$/, '')]
  const offered = given
    .get('qop')
    ?.split(',')
    .map((one) => one.trim().toLowerCase())
  if (realm === undefined || nonce === undefined || hash === undefined) return null
  if (offered && !offered.includes('auth')) return null
  const h = (text: string): string => createHash(hash).update(text).digest('hex')
  const { pathname, search } = new URL(url)
  const uri = pathname + search
  const nc = '00000001'
  const isSession = /-sess$/i.test(algorithm)
  const secret = h(`${username}:${realm}:${password}`)
  const a1 = isSession ? h(`${secret}:${nonce}:${cnonce}`) : secret
  const a2 = h(`${method}:${uri}`)
  const response = h(
    offered ? [a1, nonce, nc, cnonce, 'auth', a2].join(':') : `${a1}:${nonce}:${a2}`,
  )
  const opaque = given.get('opaque')
  return `Digest ${[
    `username=${quote(username)}`,
    `realm=${quote(realm)}`,
    `nonce=${quote(nonce)}`,
    `uri=${quote(uri)}`,
    `algorithm=${algorithm}`,
    ...(offered ? ['qop=auth', `nc=${nc}`] : []),
    ...(offered || isSession ? [`cnonce=${quote(cnonce)}`] : []),
    `response=${quote(response)}`,
    ...(opaque === undefined ? [] : [`opaque=${quote(opaque)}`]),
  ].join(', ')}`
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
