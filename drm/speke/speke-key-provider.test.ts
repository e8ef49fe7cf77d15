import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:https'
import type { Server } from 'node:https'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { DRM_SYSTEM_IDS } from '../../domain/drm-system.ts'
import { KEY_GROUPS, ownKeys } from '../../domain/key-contract.ts'
import type { TrackType } from '../../domain/rendition.ts'
import { createEgress } from '../../egress/egress.ts'
import type { Egress } from '../../egress/egress.ts'
import { createAuthority } from '../../scripts/local-https/tls-authority.ts'
import { answerCpix, psshBox } from '../../test/infrastructure/key-server.ts'
import { createKeyProviders, clearKeyProvider } from '../key-providers.ts'
import { createSpekeKeyProvider } from './speke-key-provider.ts'

const { widevine: WIDEVINE, playready: PLAYREADY, fairplay: FAIRPLAY } = DRM_SYSTEM_IDS
const ADDRESS = '127.40.30.20'
const URL_ = `https://${ADDRESS}:8443/speke`

let server: Server
let egress: Egress
/** The requests that the endpoint received, and its answer. */
let request = { body: '', headers: {} as Record<string, unknown> }
let answer: (body: string) => { status: number; body: string }

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
  answer = (body) => ({ status: 200, body: answerCpix(body) })
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const replacing = (pattern: RegExp, text: string) => (xml: string) => xml.replace(pattern, text)

/** Returns the key id of a track type, from the usage rules. */
const kidOf = (xml: string, trackType: string): string =>
  new RegExp(`ContentKeyUsageRule kid="([^"]*)" intendedTrackType="${trackType}"`).exec(xml)?.[1] ??
  ''

const provider = (authorization?: string) =>
  createSpekeKeyProvider({ egress, url: URL_, authorization, groups: KEY_GROUPS.separate })

/** Keys to ask for, one for each of these track types. */
const wanted = (...types: TrackType[]) =>
  ownKeys(types).map((group) => ({ ...group, keyId: randomBytes(16), iv: randomBytes(16) }))

describe('keys from a SPEKE v2 endpoint', () => {
  it('are requested by a CPIX 2.3 document, one for each track type, in cbcs', async () => {
    await provider('Bearer t').createKeys({ videoId: 'v1', keys: wanted('AUDIO', 'SD', 'HD') })
    expect(request.headers).toMatchObject({ 'x-speke-version': '2.0', authorization: 'Bearer t' })
    expect(request.body).toContain('contentId="v1"')
    expect(request.body).toContain('version="2.3"')
    expect(request.body.match(/commonEncryptionScheme="cbcs"/g)).toHaveLength(3)
    expect(request.body.match(/<cpix:DRMSystem /g)).toHaveLength(9)
    expect(request.body).toContain('intendedTrackType="HD"')
  })

  it('have their IV and the signalling of each DRM, with the systems in any order', async () => {
    const key = randomBytes(16)
    const master = '<cpix:HLSSignalingData playlist="master">AAAA</cpix:HLSSignalingData>'
    answer = (body) => ({
      status: 200,
      // A server may add other elements, and separate elements of one name.
      body: answerCpix(body, key).replaceAll('<cpix:PSSH>', `${master}<cpix:PSSH>`),
    })
    const [sd] = await provider().createKeys({ videoId: 'v1', keys: wanted('SD') })
    expect(sd).toMatchObject({ trackTypes: ['SD'], key, ivHex: '07'.repeat(16) })
    expect(sd?.keyId).toHaveLength(16)
    const hlsMedia = {
      uri: 'skd://k',
      keyFormat: 'com.apple.streamingkeydelivery',
      keyFormatVersions: null,
      keyIdHex: null,
      ivHex: null,
    }
    expect(sd?.systems).toEqual([
      ...[WIDEVINE, PLAYREADY].map((systemId) => ({
        systemId,
        psshBase64: psshBox(systemId),
        hlsMedia,
      })),
      { systemId: FAIRPLAY, hlsMedia },
    ])
  })

  it.each([
    ['another status', () => ({ status: 403, body: 'secret-of-theirs' }), 'status 403'],
    ['a document without keys', (body: string) => ({ status: 200, body }), 'no key for SD'],
    [
      'a document that is cut off in a key',
      (body: string) => ({
        status: 200,
        body: answerCpix(body).replace(/<pskc:PlainValue>/, '<pskc:PlainValue secret-of-theirs>'),
      }),
      'not well-formed',
    ],
    [
      'a document type',
      (body: string) => ({
        status: 200,
        body: `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${answerCpix(body)}`,
      }),
      'document type',
    ],
  ])('are refused in %s, and the error quotes none of it', async (_title, reply, message) => {
    answer = reply
    const work = provider().createKeys({ videoId: 'v1', keys: wanted('SD') })
    await expect(work).rejects.toThrow(message)
    await expect(work).rejects.not.toThrow('secret-of-theirs')
  })

  it.each<[string, (filled: string) => string, string]>([
    [
      'a key of another length',
      replacing(/PlainValue>[^<]*</g, 'PlainValue>AAAA<'),
      'no key for SD',
    ],
    [
      'another key id for one of the keys',
      (xml) => xml.replaceAll(kidOf(xml, 'HD'), randomUUID()),
      'no key for HD',
    ],
    ['no scheme', replacing(/ commonEncryptionScheme="cbcs"/g, ''), 'no key for SD in cbcs'],
    ['another scheme', replacing(/Scheme="cbcs"/g, 'Scheme="cenc"'), 'no key for SD in cbcs'],
    [
      'an IV of 8 bytes',
      replacing(/IV="[^"]*"/g, 'IV="AAAAAAAAAAA="'),
      'no explicitIV of 16 bytes',
    ],
    [
      'no DRMSystem at all',
      replacing(/<cpix:DRMSystemList>.*<\/cpix:DRMSystemList>/s, ''),
      'no DRMSystem of widevine for SD',
    ],
    [
      'no DRMSystem of one system',
      replacing(new RegExp(PLAYREADY, 'g'), randomUUID()),
      'no DRMSystem of playready for SD',
    ],
    [
      'no DRMSystem for the last key',
      (xml) => {
        const system = new RegExp(`<cpix:DRMSystem kid="${kidOf(xml, 'HD')}".*?</cpix:DRMSystem>`)
        return [1, 2, 3].reduce((rest) => rest.replace(system, ''), xml)
      },
      'no DRMSystem of widevine for HD',
    ],
    ['an empty PSSH', replacing(/PSSH>[^<]*</g, 'PSSH><'), 'no PSSH of widevine for SD'],
    ['a PSSH without a box', replacing(/PSSH>[^<]*</g, 'PSSH>cHNzaA==<'), 'no PSSH of widevine'],
    [
      'the PSSH of another system',
      (xml) => xml.replaceAll(psshBox(PLAYREADY), psshBox(WIDEVINE)),
      'no PSSH of playready for SD',
    ],
    [
      'an empty ContentProtectionData',
      replacing(/ContentProtectionData>[^<]*</g, 'ContentProtectionData><'),
      'no ContentProtectionData of widevine for SD',
    ],
    [
      'another PSSH in the ContentProtectionData',
      (xml) => xml.replaceAll(psshBox(WIDEVINE), psshBox(WIDEVINE, Buffer.from('other'))),
      'two different pssh boxes of widevine for SD',
    ],
    [
      'no HLS signalling for the media playlist',
      replacing(/playlist="media"/g, 'playlist="master"'),
      'no HLSSignalingData of the media playlist of widevine for SD',
    ],
    [
      'empty HLS signalling',
      replacing(/HLSSignalingData playlist="media">[^<]*</g, 'HLSSignalingData playlist="media"><'),
      'no HLSSignalingData of the media playlist of widevine for SD',
    ],
  ])('are refused if the answer has %s', async (_title, change, message) => {
    let changed = ''
    answer = (body) => ({ status: 200, body: (changed = change(answerCpix(body))) })
    const work = provider().createKeys({ videoId: 'v1', keys: wanted('SD', 'HD') })
    await expect(work).rejects.toThrow(message)
    for (const [, key = ''] of changed.matchAll(/PlainValue>([^<]+)</g))
      await expect(work).rejects.not.toThrow(key)
  })
})

describe('the provider of a plan', () => {
  it('is ClearKey with random keys, or SPEKE if the operator has configured it', async () => {
    const none = createKeyProviders({ egress, spekeUrl: undefined, spekeAuthorization: undefined })
    expect(none('clearkey')).toBe(clearKeyProvider)
    expect(() => none('multi-drm')).toThrow('DRM_SPEKE_URL')
    const [a, b] = await clearKeyProvider.createKeys({ videoId: 'v', keys: wanted('SD', 'HD') })
    expect(a?.key).toHaveLength(16)
    expect(a?.key.equals(b?.key ?? Buffer.alloc(0))).toBe(false)
    expect(a?.systems).toEqual([])
  })
})
