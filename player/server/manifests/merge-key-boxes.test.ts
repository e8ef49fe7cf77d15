import { describe, expect, it } from 'vitest'
import { DRM_SYSTEM_IDS } from '../../../domain/drm-system.ts'
import type { DrmSystem } from '../../../domain/drm-system.ts'
import type { TrackType } from '../../../domain/rendition.ts'
import { parsePssh, writePssh } from '../../../drm/pssh.ts'
import { multiDrmFilm } from '../../../test/fixtures/multi-drm-film.ts'
import { mergeKeyBoxes } from './merge-key-boxes.ts'
import type { ManifestKey, Presentation } from './presentation.ts'

const { widevine, playready, fairplay } = DRM_SYSTEM_IDS
const film = multiDrmFilm('separate')
const keyIdsOf = ({ keys }: Presentation): string[] => [
  ...new Set([...keys.values()].map(({ keyIdHex }) => keyIdHex)),
]
const systemsOf = ({ keys }: Presentation, systemId: string): DrmSystem[] =>
  [...keys.values()].flatMap(({ systems }) => systems.filter((one) => one.systemId === systemId))

describe('boxes of our own keys', () => {
  const merged = mergeKeyBoxes(film)

  it.each([widevine, playready])('of %s are the same for all keys', (systemId) => {
    const boxes = systemsOf(merged, systemId)
    expect(boxes.length).toBeGreaterThan(1)
    expect(
      new Set(boxes.map(({ psshBase64, proBase64 }) => `${psshBase64} ${proBase64}`)).size,
    ).toBe(1)
  })

  it('name each key once, also a key of several tracks', () => {
    for (const one of [film, multiDrmFilm('video-shared'), multiDrmFilm('all-shared')]) {
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
    expect(keyIdsOf(merged)).toEqual(keyIdsOf(film))
    expect(systemsOf(merged, fairplay)).toEqual(systemsOf(film, fairplay))
    const tagsOf = (one: Presentation) => systemsOf(one, widevine).map(({ hlsMedia }) => hlsMedia)
    expect(tagsOf(merged)).toEqual(tagsOf(film))
  })
})

describe("a provider's boxes", () => {
  it('with data of its own stay as they are', () => {
    const content = Buffer.from('2206film01', 'latin1')
    const keys = [...film.keys].map(([trackType, key]): [TrackType, ManifestKey] => {
      const names = Buffer.concat([Buffer.from([0x12, 16]), Buffer.from(key.keyIdHex, 'hex')])
      const pssh = writePssh(widevine, Buffer.concat([names, content]))
      const systems = [{ systemId: widevine, psshBase64: pssh.toString('base64') }]
      return [trackType, { ...key, systems }]
    })
    const foreign = { ...film, keys: new Map(keys) }
    expect(mergeKeyBoxes(foreign)).toEqual(foreign)
  })
})

it('a ClearKey video stays as it is', () => {
  const clear: Presentation = { ...film, protection: 'clearkey' }
  expect(mergeKeyBoxes(clear)).toBe(clear)
})
