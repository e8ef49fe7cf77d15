import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import HLS from 'hls-parser'
import { describe, expect, it } from 'vitest'
import { DRM_SYSTEM_IDS } from '../../../domain/drm/drm-system.ts'
import { KEY_SHARINGS, type KeySharing } from '../../../domain/drm/key-contract.ts'
import type { LicencePolicy } from '../../../domain/drm/licence-policy.ts'
import type { AudioPurpose } from '../../../domain/encoding/audio-purpose.ts'
import { ownSignalling } from '../../../drm/own-signalling.ts'
import { uuidOf } from '../../../drm/uuid.ts'
import { childrenOf, elementsAt, parseXml, type XmlElement } from '../../../drm/xml.ts'
import { CLEARKEY_VIDEO } from '../../../test/fixtures/clearkey-video.ts'
import { AUDIO, LADDER, multiDrmVideo } from '../../../test/fixtures/multi-drm-video.ts'
import { dashMpd } from './dash.ts'
import { hlsMaster, hlsMedia } from './hls.ts'
import type { Presentation } from './presentation.ts'

HLS.setOptions({ strictMode: true })

const MPD = 'urn:mpeg:dash:schema:mpd:2011'
const CENC = 'urn:mpeg:cenc:2013'
const PLAYREADY = 'urn:microsoft:playready'

const setsOf = (presentation: Presentation): XmlElement[] =>
  elementsAt(parseXml(dashMpd(presentation)), MPD, 'Period', 'AdaptationSet')
const namesOf = (set: XmlElement): string[] =>
  childrenOf(set, MPD, 'Representation').map(({ attributes }) => attributes.get('id') ?? '')
const protectionOf = (set: XmlElement, systemId: string): XmlElement | undefined =>
  childrenOf(set, MPD, 'ContentProtection').find(
    ({ attributes }) => attributes.get('schemeIdUri') === `urn:uuid:${systemId}`,
  )

const videos = fc.record({
  sharing: fc.constantFrom(...KEY_SHARINGS),
  rungs: fc.subarray(LADDER, { minLength: 1 }),
})

const masterOf = (presentation: Presentation): HLS.types.MasterPlaylist => {
  const playlist = HLS.parse(hlsMaster(presentation))
  if (!(playlist instanceof HLS.types.MasterPlaylist)) throw new Error('this is no master playlist')
  return playlist
}
/** The lines of a tag, without its name. */
const linesOf = (text: string, tag: string): string[] =>
  text.split('\n').flatMap((line) => (line.startsWith(`${tag}:`) ? [line.slice(tag.length)] : []))

describe('the DASH manifest of a Multi-DRM video', () => {
  it('has one video set for each key, with all renditions of that key', () => {
    const groups = (sharing: KeySharing) => setsOf(multiDrmVideo(sharing)).map(namesOf)
    expect(groups('separate')).toEqual([
      ['240p', '480p'],
      ['720p', '1080p'],
      ['2160p'],
      ['audio-0'],
    ])
    const all = LADDER.map(({ name }) => name)
    expect(groups('video-shared')).toEqual([all, ['audio-0']])
    expect(groups('all-shared')).toEqual([all, ['audio-0']])
  })

  it('has the pssh boxes, the PlayReady object and FairPlay of exactly the key of each set', () => {
    fc.assert(
      fc.property(videos, ({ sharing, rungs }) => {
        const presentation = multiDrmVideo(sharing, rungs)
        for (const set of setsOf(presentation)) {
          const one = presentation.renditions.find(({ name }) => name === namesOf(set)[0])
          const key = presentation.keys.get(one?.trackType ?? 'AUDIO')
          const [widevine, playready] = key?.systems ?? []
          const textOf = (systemId: string, namespace: string, name: string): string[] => {
            const element = protectionOf(set, systemId)
            return element ? childrenOf(element, namespace, name).map(({ text }) => text) : []
          }
          expect(textOf(DRM_SYSTEM_IDS.widevine, CENC, 'pssh')).toEqual([widevine?.psshBase64])
          expect(textOf(DRM_SYSTEM_IDS.playready, CENC, 'pssh')).toEqual([playready?.psshBase64])
          expect(textOf(DRM_SYSTEM_IDS.playready, PLAYREADY, 'pro')).toEqual([playready?.proBase64])
          expect(protectionOf(set, DRM_SYSTEM_IDS.fairplay)?.children).toEqual([])
        }
      }),
    )
  })

  it('names the key id of each set', () => {
    // The reader of elements keeps no attributes with a prefix.
    const kids = dashMpd(multiDrmVideo('separate')).match(/(?<=cenc:default_KID=")[^"]*/g)
    expect(kids).toEqual([2, 3, 4, 1].map((byte) => uuidOf(Buffer.alloc(16, byte))))
  })
})

describe('the HLS playlists of a Multi-DRM video', () => {
  it('name each key of the video once for each system in the master, as in the media playlists', () => {
    fc.assert(
      fc.property(videos, ({ sharing, rungs }) => {
        const presentation = multiDrmVideo(sharing, rungs)
        const inMedia = presentation.renditions.flatMap((one) =>
          linesOf(hlsMedia(presentation, one), '#EXT-X-KEY'),
        )
        const inMaster = linesOf(hlsMaster(presentation), '#EXT-X-SESSION-KEY')
        expect(new Set(inMaster)).toEqual(new Set(inMedia))
        expect(inMaster).toHaveLength(new Set(inMaster).size)
        expect(masterOf(presentation).sessionKeyList).toHaveLength(inMaster.length)
      }),
    )
  })

  it('are read by another reader with the stored addresses, formats and versions', () => {
    const presentation = multiDrmVideo('separate')
    const playlist = HLS.parse(hlsMedia(presentation, AUDIO))
    if (!(playlist instanceof HLS.types.MediaPlaylist)) throw new Error('this is no media playlist')
    expect(playlist.segments).toHaveLength(AUDIO.segments.length)
    const systems = presentation.keys.get('AUDIO')?.systems ?? []
    for (const { hlsMaster: tag } of systems)
      expect(masterOf(presentation).sessionKeyList).toContainEqual(
        expect.objectContaining({
          method: 'SAMPLE-AES',
          uri: tag?.uri,
          format: tag?.keyFormat,
          formatVersion: tag?.keyFormatVersions,
        }),
      )
  })

  it('keep KEYID, IV and KEYFORMATVERSIONS as stored, and add none of them', () => {
    const presentation = multiDrmVideo('separate')
    const [system] = presentation.keys.get('SD')?.systems ?? []
    if (!system?.hlsMedia) throw new Error('there is no tag')
    const ivHex = '0f'.repeat(16)
    system.hlsMedia = { ...system.hlsMedia, ivHex, keyFormatVersions: null, keyIdHex: null }
    const [line] = linesOf(hlsMedia(presentation, LADDER[0] ?? AUDIO), '#EXT-X-KEY')
    expect(line).toContain(`IV=0x${ivHex}`)
    expect(line).not.toMatch(/KEYFORMATVERSIONS|KEYID/)
  })

  it.each<[KeySharing, LicencePolicy['outputProtection'], (string | undefined)[]]>([
    ['separate', 'none', ['NONE', 'NONE', 'NONE', 'NONE', 'NONE']],
    ['separate', 'best-effort', ['NONE', 'NONE', 'NONE', 'NONE', 'NONE']],
    ['separate', 'required', ['NONE', 'NONE', 'TYPE-0', 'TYPE-0', 'TYPE-1']],
    ['video-shared', 'required', ['TYPE-1', 'TYPE-1', 'TYPE-1', 'TYPE-1', 'TYPE-1']],
  ])(
    'have the HDCP level that the licence of a key demands: %s, %s',
    (sharing, outputProtection, levels) => {
      const { variants } = masterOf(multiDrmVideo(sharing, LADDER, { outputProtection }))
      expect(variants.map(({ hdcpLevel }) => hdcpLevel)).toEqual(levels)
    },
  )
})

describe('the manifests of a ClearKey video', () => {
  const withSignalling: Presentation['keys'] = new Map(
    [...CLEARKEY_VIDEO.keys].map(([type, key]) => {
      const keyId = Buffer.from(key.keyIdHex, 'hex')
      return [type, { ...key, systems: ownSignalling(keyId, Buffer.alloc(16, 9)) }]
    }),
  )

  it.each([
    ['no signalling', CLEARKEY_VIDEO.keys],
    ['signalling', withSignalling],
  ])('are the same byte for byte as before Multi-DRM, with %s in the key rows', async (_, keys) => {
    const presentation = { ...CLEARKEY_VIDEO, keys }
    const recorded = (name: string): Promise<string> =>
      readFile(new URL(`../../../test/fixtures/clearkey-video/${name}`, import.meta.url), 'utf8')
    expect(dashMpd(presentation)).toBe(await recorded('manifest.mpd'))
    expect(hlsMaster(presentation)).toBe(await recorded('master.m3u8'))
    const compared = presentation.renditions.filter(({ name }) => /^(720p|audio-1)$/.test(name))
    expect(compared).toHaveLength(2)
    for (const one of compared)
      expect(hlsMedia(presentation, one)).toBe(await recorded(`${one.name}.m3u8`))
  })
})

describe('audio tracks with a purpose', () => {
  const track = (index: number, purpose?: AudioPurpose, label: string | null = null) => ({
    ...AUDIO,
    name: `audio-${index}`,
    language: 'en',
    label,
    ...(purpose && { purpose }),
  })
  const tracks = [
    track(0),
    track(1, 'description'),
    track(2, 'commentary', 'Commentary by Ann'),
    track(3, 'clear-speech'),
    track(4, 'dub'),
    track(5),
  ]
  const starts = new Map(
    [...LADDER, ...tracks].map(({ name }) => [
      name,
      { token: 'a', firstSegment: 1, startTicks: 0 },
    ]),
  )
  const kinds: [string, Presentation][] = [
    ['Multi-DRM', { ...multiDrmVideo('separate'), renditions: [...LADDER, ...tracks] }],
    ['ClearKey', { ...CLEARKEY_VIDEO, renditions: [...LADDER, ...tracks] }],
    [
      'a video that grows',
      {
        ...CLEARKEY_VIDEO,
        renditions: [...LADDER, ...tracks],
        growth: { plannedMs: 60_000, starts },
      },
    ],
  ]

  it.each(kinds)('have roles and accessibility in DASH: %s', (_, presentation) => {
    const valuesOf = (set: XmlElement, name: string) =>
      childrenOf(set, MPD, name).map(({ attributes: a }) => [a.get('schemeIdUri'), a.get('value')])
    const sets = setsOf(presentation).filter((set) => set.attributes.get('contentType') === 'audio')
    const roles = sets.map((set) => valuesOf(set, 'Role').map(([, value]) => value))
    expect(roles).toEqual([
      ['main'],
      ['alternate', 'description'],
      ['alternate', 'commentary'],
      ['alternate', 'enhanced-audio-intelligibility'],
      ['alternate', 'dub'],
      ['alternate'],
    ])
    const scheme = 'urn:tva:metadata:cs:AudioPurposeCS:2007'
    expect(sets.map((set) => valuesOf(set, 'Accessibility'))).toEqual([
      [],
      [[scheme, '1']],
      [],
      [[scheme, '2']],
      [],
      [],
    ])
  })

  it.each(kinds.slice(0, 2))('have characteristics and different names in HLS: %s', (_, one) => {
    const audio = masterOf(one).variants[0]?.audio ?? []
    const shown = audio.map(({ name, isDefault, autoselect, characteristics }) =>
      [name, isDefault && 'default', autoselect && 'auto', characteristics].filter(Boolean),
    )
    expect(shown).toEqual([
      ['en', 'default', 'auto'],
      ['en (Audio description)', 'auto', 'public.accessibility.describes-video'],
      ['Commentary by Ann'],
      ['en (Clear speech)', 'auto', 'public.accessibility.enhances-speech-intelligibility'],
      ['en (Dubbed)'],
      ['en 6'],
    ])
  })
})

describe('the title of an audio track with characters that XML does not allow', () => {
  it.each([
    ['A\u0001B', 'A B'],
    ['A\u0000\u001fB', 'A B'],
    ['A\ufffe\uffffB', 'A B'],
    ['A\ud800B', 'A\ufffdB'],
  ])('leaves the manifest well-formed, also if %j is stored', (label, shown) => {
    const presentation = {
      ...multiDrmVideo('separate'),
      renditions: [...LADDER, { ...AUDIO, label }],
    }
    const labels = setsOf(presentation).flatMap((set) => childrenOf(set, MPD, 'Label'))
    expect(labels.map(({ text }) => text)).toEqual([shown])
    expect(masterOf(presentation).variants[0]?.audio[0]?.name).toBe(shown)
  })
})
