import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DRM_SYSTEM_IDS } from '../../domain/drm/drm-system.ts'
import { KEY_GROUPS, type KeySharing } from '../../domain/drm/key-contract.ts'
import type { ReceivedRequest } from '../../test/infrastructure/key-server/check-authentication.ts'
import {
  keyServerListener,
  type KeyServerOptions,
} from '../../test/infrastructure/key-server/key-server.ts'
import { startTestNetwork, type TestNetwork } from '../../test/infrastructure/test-network.ts'
import { writePlayReadyObject } from '../playready-object.ts'
import { writePssh } from '../pssh.ts'
import { elementsAt, parseXml } from '../xml.ts'
import { CPIX } from './cpix-names.ts'
import { createSpekeKeyProvider } from './speke-key-provider.ts'

const { widevine: WIDEVINE, playready: PLAYREADY } = DRM_SYSTEM_IDS
const SECRET = 'text-of-the-provider'

let network: TestNetwork
let url: string
let options: KeyServerOptions
let requests: ReceivedRequest[]

beforeAll(async () => {
  network = await startTestNetwork()
  network.dns.set('keys.test', ['127.0.0.1'])
  const listener = keyServerListener(
    () => options,
    (request) => requests.push(request),
  )
  const { port } = await network.serveHttps(['keys.test'], listener)
  url = `https://keys.test:${port}/speke?tenant=a`
})
beforeEach(() => {
  options = {}
  requests = []
})
afterAll(() => network.close())

const wantedKeys = (sharing: KeySharing = 'separate') =>
  KEY_GROUPS[sharing].map((group) => ({ ...group, keyId: randomBytes(16), iv: randomBytes(16) }))

function ask(keys = wantedKeys(), at = url, deadlineMs = 3000) {
  const provider = createSpekeKeyProvider({
    egress: network.egress(),
    url: at,
    authentication: { kind: 'none' },
    groups: KEY_GROUPS.separate,
    deadlineMs,
  })
  return provider.createKeys({ videoId: 'v1', keys })
}

/** Responds with a changed document. */
const changing = (change: (xml: string) => string): void => {
  options.edit = (response) => ({ ...response, body: change(response.body) })
}

const captureError = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

/** Returns the key id of a key, from the usage rules. */
const kidOf = (xml: string, name: string): string =>
  new RegExp(`ContentKeyUsageRule kid="([^"]*)" intendedTrackType="${name}"`).exec(xml)?.[1] ?? ''

describe('a request to a SPEKE endpoint', () => {
  it.each<[KeySharing, Record<string, string[]>]>([
    [
      'separate',
      {
        AUDIO: ['AudioFilter '],
        SD: ['VideoFilter maxPixels=589824'],
        HD: ['VideoFilter minPixels=589825 maxPixels=2073600'],
        UHD: ['VideoFilter minPixels=2073601'],
      },
    ],
    ['video-shared', { AUDIO: ['AudioFilter '], VIDEO: ['VideoFilter '] }],
    ['all-shared', { ALL: ['VideoFilter ', 'AudioFilter '] }],
  ])('contains the whole contract of DRM_KEYS=%s', async (sharing, contract) => {
    const keys = await ask(wantedKeys(sharing))
    expect(keys.map(({ name }) => name)).toEqual(Object.keys(contract))
    expect(keys.flatMap(({ trackTypes }) => trackTypes)).toEqual(['AUDIO', 'SD', 'HD', 'UHD'])
    const rules = elementsAt(
      parseXml(requests[0]?.body ?? ''),
      CPIX,
      'ContentKeyUsageRuleList',
      'ContentKeyUsageRule',
    )
    const sent = rules.map(({ attributes, children }) => [
      attributes.get('intendedTrackType'),
      children.map((filter) => {
        const limits = [...filter.attributes].map(([name, value]) => `${name}=${value}`)
        return `${filter.name} ${limits.join(' ')}`
      }),
    ])
    expect(Object.fromEntries(sent)).toEqual(contract)
  })

  it('has the headers of SPEKE 2.0, proposes key ids and IVs, and asks for everything in cbcs', async () => {
    const keys = wantedKeys()
    await ask(keys)
    const [request] = requests
    expect(request?.headers).toMatchObject({
      'x-speke-version': '2.0',
      'content-type': 'application/xml',
    })
    const body = request?.body ?? ''
    expect(body).toContain('contentId="v1"')
    expect(body.match(/commonEncryptionScheme="cbcs"/g)).toHaveLength(4)
    for (const { iv } of keys) expect(body).toContain(`explicitIV="${iv.toString('base64')}"`)
    expect(body.match(/<cpix:DRMSystem /g)).toHaveLength(12)
    for (const playlist of ['media', 'master'])
      expect(body.match(new RegExp(`HLSSignalingData playlist="${playlist}"`, 'g'))).toHaveLength(
        12,
      )
  })

  it('that is sent twice gets the same keys', async () => {
    const keys = wantedKeys()
    const [first, second] = [await ask(keys), await ask(keys)]
    expect(second).toEqual(first)
    expect(requests[1]?.body).toBe(requests[0]?.body)
  })
})

describe('the response of a SPEKE endpoint', () => {
  it('gives each key its IV and the parsed signalling of all systems', async () => {
    const wanted = wantedKeys()
    const keys = await ask(wanted)
    for (const [index, { key, keyId, ivHex, systems }] of keys.entries()) {
      expect(key).toHaveLength(16)
      expect(keyId).toEqual(wanted[index]?.keyId)
      expect(ivHex).toBe(wanted[index]?.iv.toString('hex'))
      const [widevine, playready, fairplay] = systems
      const pro = writePlayReadyObject(keyId)
      expect(widevine).toMatchObject({
        hlsMedia: {
          uri: `data:text/plain;base64,${widevine?.psshBase64}`,
          keyFormat: `urn:uuid:${WIDEVINE}`,
          keyIdHex: keyId.toString('hex'),
        },
      })
      expect(playready).toMatchObject({
        psshBase64: writePssh(PLAYREADY, pro).toString('base64'),
        proBase64: pro.toString('base64'),
        hlsMaster: { keyFormat: 'com.microsoft.playready', keyFormatVersions: '1' },
      })
      expect(fairplay?.hlsMaster).toEqual(fairplay?.hlsMedia)
      expect(fairplay?.hlsMedia?.uri).toMatch(/^skd:\/\//)
      expect(fairplay).not.toHaveProperty('psshBase64')
    }
  })

  it('may replace key ids and IVs; keys are then found by their usage rules', async () => {
    options.overridesKeyIds = true
    const iv = randomBytes(16)
    changing((xml) =>
      xml.replaceAll(/explicitIV="[^"]*"/g, `explicitIV="${iv.toString('base64')}"`),
    )
    const wanted = wantedKeys()
    const keys = await ask(wanted)
    expect(keys.map(({ name }) => name)).toEqual(['AUDIO', 'SD', 'HD', 'UHD'])
    expect(new Set(keys.map(({ keyId }) => keyId.toString('hex'))).size).toBe(4)
    for (const [index, { keyId, ivHex, systems }] of keys.entries()) {
      expect(keyId).not.toEqual(wanted[index]?.keyId)
      expect(ivHex).toBe(iv.toString('hex'))
      expect(systems[1]?.proBase64).toBe(writePlayReadyObject(keyId).toString('base64'))
    }
  })

  it('may leave the prefixes of its MPD content to the MPD', async () => {
    changing((xml) =>
      xml.replaceAll(/(ContentProtectionData>)([^<]+)/g, (_all, head: string, text: string) => {
        const content = Buffer.from(text, 'base64').toString()
        return head + Buffer.from(content.replaceAll(/ xmlns:\w+="[^"]*"/g, '')).toString('base64')
      }),
    )
    const [audio] = await ask()
    expect(audio?.systems[1]?.proBase64).toBe(
      writePlayReadyObject(audio?.keyId ?? Buffer.alloc(0)).toString('base64'),
    )
  })

  it.each([
    ['the PlayReady object', /<cenc:pssh.*<\/cenc:pssh>(?=<mspr:pro)/],
    ['the pssh box', /<mspr:pro.*<\/mspr:pro>/],
  ])('may have %s of PlayReady alone in its MPD content', async (_title, other) => {
    changing((xml) =>
      xml.replaceAll(
        /(ContentProtectionData>)([^<]+)/g,
        (_all, head: string, text: string) =>
          head +
          Buffer.from(Buffer.from(text, 'base64').toString().replace(other, '')).toString('base64'),
      ),
    )
    const [audio] = await ask()
    const pro = writePlayReadyObject(audio?.keyId ?? Buffer.alloc(0))
    expect(audio?.systems[1]).toMatchObject({
      psshBase64: writePssh(PLAYREADY, pro).toString('base64'),
      proBase64: pro.toString('base64'),
    })
  })

  it('may have its elements in another order, other prefixes and more elements', async () => {
    options.masterFirst = true
    changing((xml) =>
      xml
        .replace(
          '<cpix:DRMSystemList>',
          '<!-- more --><x:y xmlns:x="urn:x">1</x:y><cpix:DRMSystemList>',
        )
        .replaceAll('cpix:', 'c:')
        .replace('xmlns:cpix', 'xmlns:c'),
    )
    const [audio] = await ask()
    expect(audio?.systems[2]?.hlsMedia?.uri).toMatch(/^skd:/)
  })
})

const replacing =
  (pattern: RegExp, text: string) =>
  (xml: string): string =>
    xml.replace(pattern, text)

/** Replaces the decoded text of the HLS tags. */
const retagging =
  (change: (tag: string) => string, playlist = 'media') =>
  (xml: string): string =>
    xml.replaceAll(
      new RegExp(`(HLSSignalingData playlist="${playlist}">)([^<]*)`, 'g'),
      (_all, head: string, text: string) =>
        head + Buffer.from(change(Buffer.from(text, 'base64').toString())).toString('base64'),
    )

const box = (systemId: string): string =>
  writePssh(systemId, Buffer.from('other')).toString('base64')

describe('a response is refused for good', () => {
  it.each<[string, (xml: string) => string, string]>([
    [
      'a key of another length',
      replacing(/PlainValue>[^<]*</g, 'PlainValue>AAAA<'),
      'key for AUDIO',
    ],
    [
      'a key that is not base64',
      replacing(/PlainValue>[^<]*</g, 'PlainValue>%%%%<'),
      'key for AUDIO',
    ],
    [
      'another key id for the key than for its rule',
      (xml) =>
        xml.replace(`ContentKey kid="${kidOf(xml, 'HD')}"`, `ContentKey kid="${randomUUID()}"`),
      'key for HD',
    ],
    [
      'one key id for two keys',
      (xml) => xml.replaceAll(kidOf(xml, 'HD'), kidOf(xml, 'SD')),
      'key for SD',
    ],
    [
      'the same key under two key ids',
      (xml) => {
        const [, value = ''] = /PlainValue>([^<]*)</.exec(xml) ?? []
        return xml.replaceAll(/PlainValue>[^<]*</g, `PlainValue>${value}<`)
      },
      'has one key for several key ids',
    ],
    [
      'a key that is all zeros',
      replacing(/PlainValue>[^<]*</, `PlainValue>${Buffer.alloc(16).toString('base64')}<`),
      'has a key for AUDIO that is no secret',
    ],
    [
      'a key that is its own key id',
      (xml) => {
        const keyId = Buffer.from(kidOf(xml, 'AUDIO').replaceAll('-', ''), 'hex')
        return xml.replace(/PlainValue>[^<]*</, `PlainValue>${keyId.toString('base64')}<`)
      },
      'has a key for AUDIO that is no secret',
    ],
    ['another track type', replacing(/"UHD"/, '"UHD1"'), 'usage rule with a key id for UHD'],
    [
      'no usage rules',
      replacing(/<cpix:ContentKeyUsageRuleList>.*<\/cpix:ContentKeyUsageRuleList>/s, ''),
      'usage rule',
    ],
    ['no scheme', replacing(/ commonEncryptionScheme="cbcs"/g, ''), 'key for AUDIO in cbcs'],
    ['another scheme', replacing(/Scheme="cbcs"/g, 'Scheme="cenc"'), 'key for AUDIO in cbcs'],
    ['an IV of 8 bytes', replacing(/IV="[^"]*"/g, 'IV="AAAAAAAAAAA="'), 'explicitIV of 16 bytes'],
    ['no IV', replacing(/ explicitIV="[^"]*"/g, ''), 'explicitIV of 16 bytes for AUDIO'],
    ['another contentId', replacing(/contentId="v1"/, 'contentId="v2"'), 'contentId of the video'],
    ['another version of CPIX', replacing(/version="2.3"/, 'version="2.4"'), 'version 2.3'],
    [
      'no DRMSystem at all',
      replacing(/<cpix:DRMSystemList>.*<\/cpix:DRMSystemList>/s, ''),
      'DRMSystem of widevine for AUDIO',
    ],
    [
      'no DRMSystem of one system',
      replacing(new RegExp(`systemId="${PLAYREADY}"`, 'g'), `systemId="${randomUUID()}"`),
      'DRMSystem of playready for AUDIO',
    ],
    [
      'no DRMSystem for the last key',
      (xml) =>
        xml.replaceAll(
          new RegExp(`<cpix:DRMSystem kid="${kidOf(xml, 'UHD')}".*?</cpix:DRMSystem>`, 'g'),
          '',
        ),
      'DRMSystem of widevine for UHD',
    ],
    ['an empty PSSH', replacing(/PSSH>[^<]*</g, 'PSSH><'), 'PSSH of widevine for AUDIO'],
    ['a PSSH without a box', replacing(/PSSH>[^<]*</g, 'PSSH>cHNzaA==<'), 'PSSH of widevine'],
    [
      'the PSSH of another system',
      replacing(/PSSH>[^<]*</g, `PSSH>${box(PLAYREADY)}<`),
      'PSSH of widevine for AUDIO',
    ],
    [
      'an empty ContentProtectionData',
      replacing(/ContentProtectionData>[^<]*</g, 'ContentProtectionData><'),
      'ContentProtectionData of widevine for AUDIO',
    ],
    [
      'ContentProtectionData that is not XML',
      replacing(/ContentProtectionData>[^<]*</g, 'ContentProtectionData>PGE+PGI+<'),
      'ContentProtectionData of widevine for AUDIO that is not XML',
    ],
    [
      'another PSSH in the ContentProtectionData',
      replacing(/PSSH>[^<]*</g, `PSSH>${box(WIDEVINE)}<`),
      'two different pssh boxes of widevine for AUDIO',
    ],
    [
      'no HLS signalling for the media playlist',
      replacing(/playlist="media"/g, 'playlist="other"'),
      'HLSSignalingData of the media playlist of widevine for AUDIO',
    ],
    [
      'no HLS signalling for the master playlist',
      replacing(/<cpix:HLSSignalingData playlist="master">[^<]*<\/cpix:HLSSignalingData>/g, ''),
      'HLSSignalingData of the master playlist of widevine for AUDIO',
    ],
    [
      'empty HLS signalling',
      replacing(/HLSSignalingData playlist="media">[^<]*</g, 'HLSSignalingData playlist="media"><'),
      'HLSSignalingData of the media playlist of widevine for AUDIO',
    ],
    [
      'an HLS tag with a second line',
      retagging((tag) => `${tag}\n#EXT-X-ENDLIST`),
      'HLSSignalingData of the media playlist',
    ],
    [
      'an HLS tag of another system',
      retagging((tag) => tag.replace('com.microsoft.playready', 'com.apple.streamingkeydelivery')),
      'another KEYFORMAT in the HLSSignalingData of the media playlist of playready',
    ],
    [
      'an HLS tag with another key id',
      retagging((tag) => tag.replace(/KEYID=0x../, 'KEYID=0x0')),
      'HLSSignalingData of the media playlist of widevine',
    ],
    [
      'an HLS tag with another IV',
      retagging((tag) => `${tag},IV=0x${'0'.repeat(32)}`, 'master'),
      'another IV in the HLSSignalingData of the master playlist of widevine',
    ],
    [
      'HLS tags of two versions',
      retagging((tag) => tag.replace('VERSIONS="1"', 'VERSIONS="2"')),
      'two different HLS key formats of widevine',
    ],
    ['something else than CPIX', () => '<html><body>Welcome</body></html>', 'not a CPIX document'],
    ['a request without any response', () => requests[0]?.body ?? '', 'key for AUDIO'],
    [
      'a document type',
      (xml) =>
        `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml.slice(xml.indexOf('?>') + 2)}`,
      'document type',
    ],
    [
      'a bomb of entities',
      () => '<!DOCTYPE l [<!ENTITY a "a"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><l>&b;&b;&b;</l>',
      'document type',
    ],
    ['a hundred thousand levels', () => '<a>'.repeat(100_000), 'too large'],
    ['half a document', (xml) => xml.slice(0, xml.length / 2), 'not well-formed'],
  ])('if it has %s', async (_title, change, message) => {
    let changed = ''
    changing((xml) => (changed = change(xml)))
    const error = await captureError(ask())
    expect(error).toMatchObject({ name: 'DrmProviderError', code: 'drm_provider_refused' })
    expect(String(error)).toContain(message)
    for (const [, key = ''] of changed.matchAll(/PlainValue>([^<]{9,})</g))
      expect(String(error)).not.toContain(key)
  })

  it.each([
    ['another X-Speke-Version', { 'X-Speke-Version': '1.0' }, 'X-Speke-Version 2.0'],
    ['no X-Speke-User-Agent', { 'X-Speke-User-Agent': '' }, 'X-Speke-User-Agent'],
  ])('if it has %s', async (_title, headers, message) => {
    options.edit = (response) => ({ ...response, headers: { ...response.headers, ...headers } })
    const error = await captureError(ask())
    expect(error).toMatchObject({ code: 'drm_provider_refused' })
    expect(String(error)).toContain(message)
  })

  it.each([
    [422, 'Missing CPIX@contentId'],
    [422, 'Missing CPIX@version'],
    [422, 'Unsupported CPIX@version'],
    [422, 'Missing ContentKey@commonEncryptionScheme for KID'],
    [422, 'Non compliant ContentKey@commonEncryptionScheme combination'],
    [422, 'ContentKey@commonEncryptionScheme non compatible with DRMSystem'],
    [400, 'Unsupported SPEKE version'],
    [422, 'Malformed encryption contract'],
    [404, 'Requested CPIX encryption contract not supported'],
    [422, 'Missing CPIX encryption contract'],
  ])('if it has status %i and says “%s”, which the error repeats', async (status, sentence) => {
    const body = `{"error": "${sentence} ${SECRET}"}`
    options.edit = (response) => ({ ...response, status, body })
    const error = await captureError(ask())
    expect(error).toMatchObject({ code: 'drm_provider_refused' })
    expect(String(error)).toContain(`“${sentence}”, status ${status}.`)
    expect(String(error)).not.toContain(SECRET)
  })

  it('if it has status 400, and the error quotes none of it', async () => {
    options.edit = (response) => ({ ...response, status: 400, body: SECRET })
    const error = await captureError(ask())
    expect(error).toMatchObject({ code: 'drm_provider_refused', fault: null })
    expect(String(error)).toContain('status 400')
    expect(String(error)).not.toContain(SECRET)
  })
})

it('a network of this installation that is away is no fault of the provider', async () => {
  network.dns.setSilent(true)
  const asked = captureError(ask(wantedKeys(), url, 1_200))
  const error = await asked.finally(() => network.dns.setSilent(false))
  expect(error).toMatchObject({ name: 'EgressError', code: 'network_away' })
})

describe('a later attempt may succeed', () => {
  it.each([
    ['away', [204, 408, 425, 429, 500, 502, 503]],
    ['credentials', [401, 402, 403, 407]],
    ['address', [301, 302, 307, 404, 405, 410]],
  ] as const)('after each status that means %s', async (fault, statuses) => {
    for (const status of statuses) {
      options.edit = (response) => ({ ...response, status, body: status === 204 ? '' : SECRET })
      const error = await captureError(ask())
      expect(error).toMatchObject({ code: 'drm_provider_unavailable', fault })
      expect(String(error)).toContain(`status ${status}`)
      expect(String(error)).not.toContain(SECRET)
    }
  })

  it('after an empty response', async () => {
    options.edit = (response) => ({ ...response, body: '' })
    expect(await captureError(ask())).toMatchObject({
      code: 'drm_provider_unavailable',
      fault: 'away',
    })
  })

  it('at an address that may not be used now', async () => {
    network.dns.set('inside.test', ['10.0.0.1'])
    const error = await captureError(ask(wantedKeys(), url.replace('keys.test', 'inside.test')))
    expect(error).toMatchObject({ code: 'drm_provider_unavailable', fault: 'address' })
  })

  it('after a page instead of XML', async () => {
    options.edit = (response) => ({
      ...response,
      headers: { ...response.headers, 'Content-Type': 'text/html' },
      body: `<html>${SECRET}</html>`,
    })
    const error = await captureError(ask())
    expect(error).toMatchObject({ code: 'drm_provider_unavailable' })
    expect(String(error)).not.toContain(SECRET)
  })

  it.each([
    ['a connection that is refused', async () => `https://keys.test:${await closedPort()}/speke`],
    [
      'a response that is cut off',
      async () => {
        const { port } = await network.serveHttps(['keys.test'], (_request, response) => {
          response.writeHead(200, { 'Content-Type': 'application/xml', 'Content-Length': 1000 })
          response.write('<cpix:CPIX')
          setTimeout(() => response.destroy(), 50)
        })
        return `https://keys.test:${port}/speke`
      },
    ],
    ['a host without an address', async () => url.replace('keys.test', 'gone.test')],
    [
      'a response that does not come in time',
      async () => {
        const { port } = await network.serveHttps(['keys.test'], () => undefined)
        return `https://keys.test:${port}/speke`
      },
    ],
    [
      'a certificate of another host',
      async () => {
        network.dns.set('other.test', ['127.0.0.1'])
        return url.replace('keys.test', 'other.test')
      },
    ],
  ])('after %s', async (_title, address) => {
    const error = await captureError(ask(wantedKeys(), await address()))
    expect(error).toMatchObject({ name: 'DrmProviderError', code: 'drm_provider_unavailable' })
    expect(String(error)).not.toMatch(/keys\.test|tenant/)
  })

  it('is told by the caller: a request that is cancelled ends immediately', async () => {
    const { port } = await network.serveHttps(['keys.test'], () => undefined)
    const stop = new AbortController()
    const provider = createSpekeKeyProvider({
      egress: network.egress(),
      url: `https://keys.test:${port}/speke`,
      authentication: { kind: 'none' },
      groups: KEY_GROUPS.separate,
    })
    const work = captureError(
      provider.createKeys({ videoId: 'v1', keys: wantedKeys(), signal: stop.signal }),
    )
    stop.abort()
    expect(await work).toMatchObject({ code: 'aborted' })
  })
})

/** A port that nothing listens on. */
async function closedPort(): Promise<number> {
  const { port } = await network.serveTcp((socket) => socket.destroy())
  return port
}
