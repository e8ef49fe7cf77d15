import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { demand, Denial } from './licence-server.ts'

const HASHES = new Map([
  ['HS256', 'sha256'],
  ['HS512', 'sha512'],
])
const headerSchema = z.object({ alg: z.string() })

/**
 * Verifies a JWT by hand, so that the servers of the tests do not depend on the library that signs. Returns
 * its claims; throws a Denial if it is altered.
 */
export function verifyToken(token: string, key: Buffer): Record<string, unknown> {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const { alg } = headerSchema.parse(fromBase64Url(head))
  const hash = HASHES.get(alg)
  if (hash === undefined) throw new Denial('unauthorised', 'the token has another algorithm')
  const expected = createHmac(hash, key).update(`${head}.${claims}`).digest()
  const given = Buffer.from(signature, 'base64url')
  demand(
    given.length === expected.length && timingSafeEqual(given, expected),
    'the signature of the token is wrong',
  )
  return z.record(z.string(), z.unknown()).parse(fromBase64Url(claims))
}

const fromBase64Url = (text: string): unknown =>
  JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))

/** Signs what a server sends back. */
export function signToken(claims: object, key: Buffer): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}
