import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KEY_GROUPS } from '../../domain/drm/key-contract.ts'
import type { Expected } from '../../test/infrastructure/key-server/check-authentication.ts'
import { keyServerListener } from '../../test/infrastructure/key-server/key-server.ts'
import { startTestNetwork, type TestNetwork } from '../../test/infrastructure/test-network.ts'
import { authenticated, type SpekeAuthentication } from './authentication.ts'
import { digestAuthorization } from './digest-authentication.ts'
import { createSpekeKeyProvider } from './speke-key-provider.ts'

let network: TestNetwork
let url: string
let expects: Expected | undefined
let sent: (string | undefined)[] = []

beforeAll(async () => {
  network = await startTestNetwork()
  network.dns.set('keys.test', ['127.0.0.1'])
  const listener = keyServerListener(
    () => (expects ? { expects } : {}),
    ({ headers }) => sent.push(headers.authorization),
  )
  const { port } = await network.serveHttps(['keys.test'], listener)
  url = `https://keys.test:${port}/Stage/copyProtection?b=2&a=1`
})
afterAll(() => network.close())

function ask(authentication: SpekeAuthentication) {
  sent = []
  const groups = KEY_GROUPS['all-shared']
  const keys = groups.map((group) => ({ ...group, keyId: randomBytes(16), iv: randomBytes(16) }))
  const provider = createSpekeKeyProvider({ egress: network.egress(), url, authentication, groups })
  return provider.createKeys({ videoId: 'v1', keys })
}

const PASSWORD = 'pass:"word" ü'
const user = { username: 'Müller "M"', password: PASSWORD }
const aws = { region: 'eu-central-1', accessKey: 'AKIDEXAMPLE', secretKey: 'a/secret+key' }
const signing = (secretAccessKey = aws.secretKey, sessionToken?: string): SpekeAuthentication => ({
  kind: 'sigv4',
  region: aws.region,
  credentials: { accessKeyId: aws.accessKey, secretAccessKey, sessionToken },
})

describe('a request to a SPEKE endpoint is authenticated', () => {
  it('with a header as it is', async () => {
    expects = undefined
    await ask({ kind: 'header', value: 'Bearer t' })
    expect(sent).toEqual(['Bearer t'])
  })

  it('with a user name and password', async () => {
    expects = { kind: 'basic', ...user }
    expect(await ask({ kind: 'basic', ...user })).toHaveLength(1)
  })

  it.each(['MD5', 'SHA-256'])(
    'with a digest of them (%s), after the challenge',
    async (algorithm) => {
      expects = { kind: 'digest', ...user, algorithm }
      expect(await ask({ kind: 'digest', ...user })).toHaveLength(1)
      expect(sent).toHaveLength(2)
      expect(sent[0]).toBeUndefined()
    },
  )

  it.each([
    ['permanent credentials', undefined],
    ['temporary credentials', 'a-session-token'],
  ])('with AWS Signature Version 4, %s', async (_title, sessionToken) => {
    expects = { kind: 'sigv4', ...aws, ...(sessionToken === undefined ? {} : { sessionToken }) }
    expect(await ask(signing(aws.secretKey, sessionToken))).toHaveLength(1)
  })

  it.each<[string, Expected, SpekeAuthentication]>([
    ['password', { kind: 'basic', ...user }, { kind: 'basic', ...user, password: 'wrong' }],
    ['digest', { kind: 'digest', ...user }, { kind: 'digest', ...user, password: 'wrong' }],
    ['signature', { kind: 'sigv4', ...aws }, signing('wrong')],
    ['scheme', { kind: 'basic', ...user }, { kind: 'digest', ...user }],
  ])('and refused with a wrong %s, without it in the error', async (_title, expected, ours) => {
    expects = expected
    const error: unknown = await ask(ours).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'drm_provider_unavailable', fault: 'credentials' })
    expect(String(error)).toContain('status 401')
    expect(String(error)).not.toMatch(/wrong|pass:|secret/)
    expect(sent.length).toBeLessThanOrEqual(2)
  })
})

describe('a digest', () => {
  const request = { url: 'https://www.example.org/dir/index.html', method: 'GET' }
  const mufasa = { username: 'Mufasa', password: 'Circle of Life' }
  const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'

  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('is that of RFC 7616, section 3.9.1, for %s', (algorithm, response) => {
    const challenge = `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`
    const header = digestAuthorization(challenge, request, mufasa, cnonce)
    expect(header).toContain(`response="${response}"`)
    expect(header).toContain('uri="/dir/index.html"')
  })

  it.each([
    'Basic realm="x"',
    'Digest realm="x"',
    'Digest realm="x", nonce="n", qop="auth-int"',
    'Digest realm="x", nonce="n", algorithm=SHA-1',
    '',
  ])('cannot respond to %s', (challenge) => {
    expect(digestAuthorization(challenge, request, mufasa)).toBeNull()
  })
})

describe('a signature of AWS', () => {
  it('does not change the request, and leaves what the connection sets to it', () => {
    const headers = { 'X-Speke-Version': '2.0' }
    const request = { url, method: 'POST' as const, headers, body: '<a/>' }
    const signed = authenticated(request, signing())
    expect(headers).toEqual({ 'X-Speke-Version': '2.0' })
    expect(Object.keys(signed ?? {}).map((name) => name.toLowerCase())).not.toEqual(
      expect.arrayContaining(['host']),
    )
    expect(signed?.Authorization).toMatch(
      /Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/execute-api\//,
    )
  })
})
