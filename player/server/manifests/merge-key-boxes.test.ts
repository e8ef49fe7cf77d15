import { describe, expect, it } from 'vitest'
import { DRM_SYSTEM_IDS, type DrmSystem } from '../../../domain/drm/drm-system.ts'
import type { TrackType } from '../../../domain/videos/rendition.ts'
import { parsePssh, writePssh } from '../../../drm/pssh.ts'
import { multiDrmVideo } from '../../../test/fixtures/multi-drm-video.ts'
import { mergeKeyBoxes } from './merge-key-boxes.ts'
import type { ManifestKey, Presentation } from './presentation.ts'

const { widevine, playready, fairplay } = DRM_SYSTEM_IDS
const video = multiDrmVideo('separate')
const keyIdsOf = ({ keys }: Presentation): string[] => [
  ...new Set([...keys.values()].map(({ keyIdHex }) => keyIdHex)),
]
const systemsOf = ({ keys }: Presentation, systemId: string): DrmSystem[] =>
  [...keys.values()].flatMap(({ systems }) => systems.filter((one) => one.systemId === systemId))

describe('boxes of our own keys', () => {
  const merged = mergeKeyBoxes(video)

  it.each([widevine, playready])('of %s are the same for all keys', (systemId) => {
    const boxes = systemsOf(merged, systemId)
    expect(boxes.length).toBeGreaterThan(1)
    expect(
      new Set(boxes.map(({ psshBase64, proBase64 }) => `${psshBase64} ${proBase64}`)).size,
    ).toBe(1)
  })

  it('name each key once, also a key of several tracks', () => {
    for (const one of [video, multiDrmVideo('video-shared'), multiDrmVideo('all-shared')]) {
      const [system] = systemsOf(mergeKeyBoxes(one), widevine)
      const data = parsePssh(system?.psshBase64 ?? '')?.data.toString('hex') ?? ''
      const named = keyIdsOf(one).map((keyId) => `1210${keyId}`)
      // Then the scheme, `cbcs`.
      expect(data).toBe(`${named.join('')}48f3c6899b06`)
      const [header] = systemsOf(mergeKeyBoxes(one), playready)
      const text = Buffer.from(header?.proBase64 ?? '', 'base64').toString('utf16le')
      expect(text.match(/<KID /g)).toHaveLength(named.length)
    }
  })

  it('keep their key ids, their HLS tags and FairPlay', () => {
    expect(keyIdsOf(merged)).toEqual(keyIdsOf(video))
    expect(systemsOf(merged, fairplay)).toEqual(systemsOf(video, fairplay))
    const tagsOf = (one: Presentation) => systemsOf(one, widevine).map(({ hlsMedia }) => hlsMedia)
    expect(tagsOf(merged)).toEqual(tagsOf(video))
  })
})

describe("a provider's boxes", () => {
  const withBoxes = (boxes: (keyId: Buffer) => Partial<DrmSystem>, systemId: string) => ({
    ...video,
    keys: new Map(
      [...video.keys].map(([trackType, key]): [TrackType, ManifestKey] => {
        const systems = [{ systemId, ...boxes(Buffer.from(key.keyIdHex, 'hex')) }]
        return [trackType, { ...key, systems }]
      }),
    ),
  })
  const widevineBoxes = (rest: (keyId: Buffer) => Buffer) =>
    withBoxes((keyId) => {
      const data = Buffer.concat([rest(keyId), Buffer.from([0x12, 16]), keyId])
      return { psshBase64: writePssh(widevine, data).toString('base64') }
    }, widevine)
  const headerOf = (keyIds: Buffer[], address: string, version = '4.3.0.0') =>
    `<WRMHEADER xmlns="x" version="${version}"><DATA><PROTECTINFO><KIDS>` +
    keyIds
      .map((keyId) => `<KID ALGID="AESCBC" VALUE="${keyId.toString('base64')}" CHECKSUM="c" />`)
      .join('') +
    `</KIDS></PROTECTINFO><LA_URL>${address}</LA_URL></DATA></WRMHEADER>`
  const playreadyBoxes = (header: (keyId: Buffer) => string) =>
    withBoxes((keyId) => {
      const proBase64 = objectOf(header(keyId)).toString('base64')
      return { psshBase64: proBase64, proBase64 }
    }, playready)
  const keyIds = keyIdsOf(video).map((hex) => Buffer.from(hex, 'hex'))

  it('of Widevine name all keys if the rest of them is the same', () => {
    // The provider and the id of the video.
    const rest = Buffer.from('\x1a\x04prov\x22\x04film', 'latin1')
    const boxes = systemsOf(mergeKeyBoxes(widevineBoxes(() => rest)), widevine)
    const named = keyIdsOf(video).map((keyId) => `1210${keyId}`)
    for (const { psshBase64 = '' } of boxes)
      expect(parsePssh(psshBase64)?.data.toString('hex')).toBe(
        named.join('') + rest.toString('hex'),
      )
  })

  it('of PlayReady name all keys if the rest of them is the same', () => {
    const merged = mergeKeyBoxes(playreadyBoxes((keyId) => headerOf([keyId], 'https://la')))
    for (const { psshBase64 = '', proBase64 = '' } of systemsOf(merged, playready)) {
      const pro = Buffer.from(proBase64, 'base64')
      expect(pro).toEqual(objectOf(headerOf(keyIds, 'https://la')))
      expect(psshBase64).toBe(writePssh(playready, pro).toString('base64'))
    }
  })

  it.each<[string, Presentation]>([
    [
      'Widevine, with the key in the id of the video',
      widevineBoxes((keyId) => Buffer.from([0x22, 1, keyId[0] ?? 0])),
    ],
    ['Widevine, with data that cannot be read', widevineBoxes(() => Buffer.from([0x22, 99]))],
    [
      'PlayReady, with an address for each key',
      playreadyBoxes((keyId) => headerOf([keyId], `https://la/${keyId[0]}`)),
    ],
    [
      'PlayReady, in an older version',
      playreadyBoxes((keyId) => headerOf([keyId], 'https://la', '4.1.0.0')),
    ],
    [
      'PlayReady, with another record',
      playreadyBoxes((keyId) => headerOf([keyId], 'https://la') + '\0'),
    ],
  ])('of %s, stay as they are', (_title, foreign) => {
    expect(mergeKeyBoxes(foreign)).toEqual(foreign)
  })
})

/** Returns a PlayReady object. `text` is its header; each part after a zero character becomes a further record. */
function objectOf(text: string): Buffer {
  const [header = '', ...others] = text.split('\0')
  const records = [
    { type: 1, value: Buffer.from(header, 'utf16le') },
    ...others.map(() => ({ type: 3, value: Buffer.alloc(4) })),
  ].map(({ type, value }) => {
    const head = Buffer.alloc(4)
    head.writeUInt16LE(type, 0)
    head.writeUInt16LE(value.length, 2)
    return Buffer.concat([head, value])
  })
  const head = Buffer.alloc(6)
  head.writeUInt32LE(6 + Buffer.concat(records).length, 0)
  head.writeUInt16LE(records.length, 4)
  return Buffer.concat([head, ...records])
}

it('a ClearKey video stays as it is', () => {
  const clear: Presentation = { ...video, protection: 'clearkey' }
  expect(mergeKeyBoxes(clear)).toBe(clear)
})
