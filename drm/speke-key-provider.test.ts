import { randomBytes } from 'node:crypto'
import { createServer } from 'node:https'
import type { Server } from 'node:https'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createEgress } from '../egress/egress.ts'
import type { Egress } from '../egress/egress.ts'
import { createAuthority } from '../test/tls-authority.ts'
import { clearKeyProvider } from './clear-key-provider.ts'
import { createKeyProviders } from './key-providers.ts'
import { createSpekeKeyProvider } from './speke-key-provider.ts'

const WIDEVINE = 'edef8ba9-79d6-4ace-a3c8-27dcd51d21ed'
const ADDRESS = '127.40.30.20'
const URL_ = `https://${ADDRESS}:8443/speke`

let server: Server
let egress: Egress
/** What the endpoint got, and how it answers. */
let request = { body: '', headers: {} as Record<string, unknown> }
let answer: (body: string) => { status: number; body: string }

/** Fills a CPIX document in as a key server does. */
function fillIn(body: string, key = randomBytes(16)): string {
  return body
    .replaceAll(
      /<cpix:ContentKey ([^>]*)\/>/g,
      `<cpix:ContentKey $1 explicitIV="${Buffer.alloc(16, 7).toString('base64')}"><cpix:Data><pskc:Secret><pskc:PlainValue>${key.toString('base64')}</pskc:PlainValue></pskc:Secret></cpix:Data></cpix:ContentKey>`,
    )
    .replaceAll('<cpix:PSSH/>', `<cpix:PSSH>${Buffer.from('pssh').toString('base64')}</cpix:PSSH>`)
    .replaceAll(
      '<cpix:HLSSignalingData playlist="media"/>',
      `<cpix:HLSSignalingData playlist="media">${Buffer.from('#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://k",KEYFORMAT="com.apple.streamingkeydelivery"').toString('base64')}</cpix:HLSSignalingData>`,
    )
}

beforeAll(async () => {
  const authority = await createAuthority()
  server = createServer(await authority.issue([ADDRESS]), (incoming, response) => {
    void text(incoming).then((body) => {
      request = { body, headers: incoming.headers }
      const { status, body: sent } = answer(body)
      response.writeHead(status, { 'Content-Type': 'application/xml' }).end(sent)
    })
  })
  await new Promise<void>((resolve) => server.listen(8443, ADDRESS, resolve))
  const logger = { warn: () => undefined }
  egress = createEgress({ allowedNetworks: ['127.0.0.0/8'], extraCa: [authority.caPem], logger })
})

beforeEach(() => {
  answer = (body) => ({ status: 200, body: fillIn(body) })
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const provider = (authorization?: string) =>
  createSpekeKeyProvider({ egress, url: URL_, authorization })

describe('keys from a SPEKE v2 endpoint', () => {
  it('are asked for by a CPIX 2.3 document, one for each track type, in cbcs', async () => {
    await provider('Bearer t').createKeys({ videoId: 'v1', trackTypes: ['AUDIO', 'SD', 'HD'] })
    expect(request.headers).toMatchObject({ 'x-speke-version': '2.0', authorization: 'Bearer t' })
    expect(request.body).toContain('contentId="v1"')
    expect(request.body).toContain('version="2.3"')
    expect(request.body.match(/commonEncryptionScheme="cbcs"/g)).toHaveLength(3)
    expect(request.body.match(/<cpix:DRMSystem /g)).toHaveLength(9)
    expect(request.body).toContain('intendedTrackType="HD"')
  })

  it('come with their IV and the signalling of each DRM', async () => {
    const key = randomBytes(16)
    answer = (body) => ({ status: 200, body: fillIn(body, key) })
    const [sd] = await provider().createKeys({ videoId: 'v1', trackTypes: ['SD'] })
    expect(sd).toMatchObject({ trackType: 'SD', key, ivHex: '07'.repeat(16) })
    expect(sd?.keyId).toHaveLength(16)
    expect(sd?.systems).toHaveLength(3)
    expect(sd?.systems.find(({ systemId }) => systemId === WIDEVINE)).toMatchObject({
      psshBase64: Buffer.from('pssh').toString('base64'),
      hlsKeyUri: 'skd://k',
    })
  })

  it.each([
    ['another status', () => ({ status: 403, body: 'secret-of-theirs' }), 'status 403'],
    ['a document without keys', (body: string) => ({ status: 200, body }), 'no key for SD'],
    [
      'a key of another length',
      (body: string) => ({ status: 200, body: fillIn(body, randomBytes(8)) }),
      'no key for SD',
    ],
    [
      'a document that is cut off in a key',
      (body: string) => ({
        status: 200,
        body: fillIn(body).replace(/<pskc:PlainValue>/, '<pskc:PlainValue secret-of-theirs>'),
      }),
      'not well-formed',
    ],
    [
      'a document type',
      (body: string) => ({
        status: 200,
        body: `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${fillIn(body)}`,
      }),
      'document type',
    ],
  ])('are refused in %s, without a word of it in the error', async (_title, reply, message) => {
    answer = reply
    const work = provider().createKeys({ videoId: 'v1', trackTypes: ['SD'] })
    await expect(work).rejects.toThrow(message)
    await expect(work).rejects.not.toThrow('secret-of-theirs')
  })
})

describe('the provider of a plan', () => {
  it('is ClearKey with random keys, or SPEKE where the operator has configured it', async () => {
    const none = createKeyProviders({ egress, spekeUrl: undefined, spekeAuthorization: undefined })
    expect(none('clearkey')).toBe(clearKeyProvider)
    expect(() => none('multi-drm')).toThrow('DRM_SPEKE_URL')
    const [a, b] = await clearKeyProvider.createKeys({ videoId: 'v', trackTypes: ['SD', 'HD'] })
    expect(a?.key).toHaveLength(16)
    expect(a?.key.equals(b?.key ?? Buffer.alloc(0))).toBe(false)
    expect(a?.systems).toEqual([])
  })
})
