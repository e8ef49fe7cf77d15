import { generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { createEgress } from '../../egress/egress.ts'
import { licenceRequest, videoKeys } from '../../test/fixtures/licences.ts'
import { fillTemplate, parseTemplate } from './claim-template.ts'
import { framingSchema, packChallenge, unpackLicence } from './framing.ts'
import { generic, GENERIC_ALGORITHMS } from './generic.ts'
import { openLicences, type LicenceProviderName, type LicenceVariables } from './open-licences.ts'

const URL_ = 'https://licences.example/widevine'
const SECRET = 'very-secret-value'

const open = (provider: LicenceProviderName | undefined, variables: LicenceVariables) =>
  openLicences({
    egress: createEgress(),
    logger: { warn: () => undefined },
    provider,
    keyModel: 'provider',
    variables: { DRM_WIDEVINE_URL: URL_, ...variables },
  })

describe('the settings of the licence servers', () => {
  it('are optional', () => {
    expect(open(undefined, {})).toBeNull()
  })

  it.each<[LicenceProviderName, LicenceVariables, string]>([
    ['axinom', {}, 'DRM_AXINOM_COM_KEY_ID: is needed'],
    ['axinom', { DRM_AXINOM_COM_KEY_ID: SECRET }, 'DRM_AXINOM_COM_KEY_ID: must be a UUID'],
    [
      'axinom',
      { DRM_AXINOM_COM_KEY_ID: '11111111-1111-4111-8111-111111111111', DRM_AXINOM_COM_KEY: SECRET },
      'DRM_AXINOM_COM_KEY: must be 32 bytes in base64',
    ],
    [
      'doverunner',
      { DRM_DOVERUNNER_SITE_ID: 'S', DRM_DOVERUNNER_SITE_KEY: SECRET },
      'DRM_DOVERUNNER_SITE_KEY: must be 32 characters',
    ],
    [
      'drmtoday',
      { DRM_DRMTODAY_MERCHANT: 'm', DRM_DRMTODAY_SECRET: SECRET },
      'DRM_DRMTODAY_SECRET: must be 32 or 64 bytes in base64',
    ],
    ['generic', { DRM_GENERIC_JWT_SECRET: SECRET }, 'DRM_GENERIC_CLAIMS: is needed'],
    [
      'generic',
      { DRM_GENERIC_JWT_SECRET: SECRET, DRM_GENERIC_CLAIMS: `{"a":"${SECRET}` },
      'DRM_GENERIC_CLAIMS: the claim template is not JSON',
    ],
    [
      'generic',
      { DRM_GENERIC_JWT_SECRET: SECRET, DRM_GENERIC_CLAIMS: '{}', DRM_GENERIC_HEADERS: SECRET },
      'DRM_GENERIC_HEADERS: must be',
    ],
    [
      'generic',
      { DRM_GENERIC_JWT_SECRET: SECRET, DRM_GENERIC_CLAIMS: '{}', DRM_WIDEVINE_URL: 'http://x' },
      'DRM_WIDEVINE_URL: must be',
    ],
    [
      'generic',
      {
        DRM_GENERIC_JWT_SECRET: SECRET,
        DRM_GENERIC_CLAIMS: '{}',
        DRM_GENERIC_FRAMING: '{"fairplay":{"response":"form:x"}}',
      },
      'DRM_GENERIC_FRAMING: must be',
    ],
    [
      'generic',
      {
        DRM_GENERIC_JWT_SECRET: SECRET,
        DRM_GENERIC_CLAIMS: '{}',
        DRM_WIDEVINE_URL: undefined,
      },
      'DRM_WIDEVINE_URL or DRM_PLAYREADY_URL or DRM_FAIRPLAY_URL: is needed',
    ],
  ])('of %s name the wrong variable and never its value (%#)', (provider, variables, message) => {
    expect(() => open(provider, variables)).toThrow(message)
    expect(() => open(provider, variables)).not.toThrow(SECRET)
  })
})

describe('a claim template', () => {
  const known = new Set(['video_id', 'now', 'key_ids', 'key_id'])

  it('keeps the type of a value that stands alone, and repeats an object for each key', () => {
    const template = parseTemplate(
      '{"sub":"video:{video_id}","iat":"{now}","kid":"{key_ids}","k":[{"$each":"keys","id":"{key_id}","on":true}]}',
      known,
    )
    const keys = [{ key_id: 'a' }, { key_id: 'b' }]
    expect(fillTemplate(template, { video_id: 'v', now: 7, key_ids: ['a', 'b'] }, keys)).toEqual({
      sub: 'video:v',
      iat: 7,
      kid: ['a', 'b'],
      k: [
        { id: 'a', on: true },
        { id: 'b', on: true },
      ],
    })
  })

  it.each([
    ['[]', 'not a JSON object'],
    ['{"a":"{viewer_name}"}', 'no placeholder {viewer_name}'],
    ['{"persistent":true}', 'persistent must be false'],
    ['{"license":{"allow_persistence":"{now}"}}', 'allow_persistence must be false'],
    ['{"rights":[{"storeLicense":1}]}', 'storeLicense must be false'],
    ['{"offlineAllowed":true}', 'offlineAllowed must be false'],
  ])('is refused: %s', (text, message) => {
    expect(() => parseTemplate(text, known)).toThrow(message)
  })
})

describe('a framing', () => {
  const bytes = Buffer.from([0, 0, 0, 1, 250, 251, 252])
  const base64 = bytes.toString('base64')

  it('packs a challenge as bytes, base64, a form field or JSON', () => {
    expect(packChallenge('raw', bytes).body).toBe(bytes)
    expect(packChallenge('base64', bytes).body.toString()).toBe(base64)
    const form = packChallenge('form:spc', bytes).body.toString()
    expect(new URLSearchParams(form).get('spc')).toBe(base64)
    const json = packChallenge('json:data.spc', bytes).body.toString()
    expect(JSON.parse(json)).toEqual({ data: { spc: base64 } })
  })

  it('finds the licence, or nothing', () => {
    const json = Buffer.from(JSON.stringify({ data: { ckc: base64 } }))
    expect(unpackLicence('json:data.ckc', json)).toEqual(bytes)
    expect(unpackLicence('base64', Buffer.from(`${base64}\n`))).toEqual(bytes)
    for (const path of ['json:ckc', 'json:data', 'json:data.ckc.more'])
      expect(unpackLicence(path, json)).toHaveLength(0)
    expect(unpackLicence('base64', Buffer.from('<html>'))).toHaveLength(0)
    expect(unpackLicence('json:__proto__', Buffer.from('{"a":1}'))).toHaveLength(0)
  })

  it('is raw where nothing is said', () => {
    expect(framingSchema.parse({ fairplay: { request: 'form:spc' } })).toEqual({
      fairplay: { request: 'form:spc', response: 'raw' },
    })
  })
})

describe('the token of a generic server', () => {
  it.each(GENERIC_ALGORITHMS)('can be signed with %s', async (algorithm) => {
    const pair = keyPairOf(algorithm)
    const pem = pair?.privateKey.export({ type: 'pkcs8', format: 'pem' })
    const secret = pem === undefined ? Buffer.alloc(64, 7) : Buffer.from(pem)
    const provider = generic({
      framing: {},
      headers: {},
      tokenHeader: 'X-Token',
      tokenValue: '{token}',
      algorithm,
      secret,
      jwtHeader: { kid: 'key-1' },
      claims: '{"sub":"{video_id}","exp":"{expires}","kid":"{key_ids_hex}"}',
      enforcesHardware: false,
      revokedCodes: [],
    })
    const keys = videoKeys('SD')
    const { headers } = await provider.frame(licenceRequest('widevine', keys))
    const verified = await jwtVerify(headers['X-Token'] ?? '', pair?.publicKey ?? secret)
    expect(verified.protectedHeader).toEqual({ alg: algorithm, kid: 'key-1', typ: 'JWT' })
    expect(verified.payload.kid).toEqual(keys.map(({ keyIdHex }) => keyIdHex))
    expect(provider.takesKeys).toBe(false)
  })
})

/** A key pair for an asymmetric algorithm; null for a shared secret. */
function keyPairOf(algorithm: (typeof GENERIC_ALGORITHMS)[number]) {
  if (algorithm === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 })
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return algorithm === 'EdDSA' ? generateKeyPairSync('ed25519') : null
}
