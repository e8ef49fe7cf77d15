import { z } from 'zod'

/** A refused licence request; `code` is for the page and contains no key. */
export class LicenceError extends Error {
  override name = 'LicenceError'
  readonly code: 'invalid_licence_request' | 'unknown_key'

  constructor(code: 'invalid_licence_request' | 'unknown_key') {
    super(code === 'unknown_key' ? 'the key is not of this video' : 'not a ClearKey request')
    this.code = code
  }
}

const KEYS_MAX = 16

const requestSchema = z.looseObject({
  kids: z
    .array(z.string().regex(/^[\w-]{22}(==)?$/))
    .min(1)
    .max(KEYS_MAX),
  type: z.enum(['temporary', 'persistent-license']).default('temporary'),
})

/** Returns the key ids (32 hex characters each) of a ClearKey licence request (W3C EME, "Clear Key"). */
export function parseClearKeyRequest(body: unknown): string[] {
  const parsed = requestSchema.safeParse(body)
  if (!parsed.success) throw new LicenceError('invalid_licence_request')
  return parsed.data.kids.map((kid) => Buffer.from(kid, 'base64url').toString('hex'))
}

/** Returns the licence for these keys: a JWK set as defined by W3C EME. Never persistent. */
export function clearKeyLicence(keys: { keyIdHex: string; key: Buffer }[]) {
  return {
    keys: keys.map(({ keyIdHex, key }) => ({
      kty: 'oct',
      kid: Buffer.from(keyIdHex, 'hex').toString('base64url'),
      k: key.toString('base64url'),
    })),
    type: 'temporary',
  }
}
