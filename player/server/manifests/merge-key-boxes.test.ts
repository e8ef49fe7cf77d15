import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { DRM_SYSTEM_IDS } from '../../../domain/drm-system.ts'
import type { DrmSystem } from '../../../domain/drm-system.ts'
import { DEFAULT_LICENCE_POLICY } from '../../../domain/licence-policy.ts'
import type { TrackType } from '../../../domain/rendition.ts'
import { ownSignalling } from '../../../drm/own-signalling.ts'
import { parsePssh, writePssh } from '../../../drm/pssh.ts'
import { mergeKeyBoxes } from './merge-key-boxes.ts'
import type { ManifestKey, Presentation } from './presentation.ts'

const [SD, HD] = [randomBytes(16), randomBytes(16)]

function presentation(systemsOf: (keyId: Buffer) => DrmSystem[]): Presentation {
  const key = (trackType: 'SD' | 'HD', keyId: Buffer): [TrackType, ManifestKey] => [
    trackType,
    { keyIdHex: keyId.toString('hex'), trackTypes: [trackType], systems: systemsOf(keyId) },
  ]
  return {
    videoId: 'v',
    protection: 'multi-drm',
    renditions: [],
    keys: new Map([key('SD', SD), key('HD', HD)]),
    licencePolicy: DEFAULT_LICENCE_POLICY,
    mediaBase: '',
    embedBase: '',
  }
}

const own = (keyId: Buffer) => ownSignalling(keyId, Buffer.alloc(16, 7))
const boxOf = ({ keys }: Presentation, trackType: 'SD' | 'HD', systemId: string) =>
  keys.get(trackType)?.systems.find((one) => one.systemId === systemId)

describe('boxes of our own keys', () => {
  const merged = mergeKeyBoxes(presentation(own))

  it.each([DRM_SYSTEM_IDS.widevine, DRM_SYSTEM_IDS.playready])(
    'of %s are the same for all keys, and name each key',
    (systemId) => {
      const sd = boxOf(merged, 'SD', systemId)
      expect(boxOf(merged, 'HD', systemId)?.psshBase64).toBe(sd?.psshBase64)
      const data = parsePssh(sd?.psshBase64 ?? '')?.data.toString('hex') ?? ''
      if (systemId === DRM_SYSTEM_IDS.widevine)
        for (const keyId of [SD, HD]) expect(data).toContain(`1210${keyId.toString('hex')}`)
      else expect(Buffer.from(data, 'hex').toString('utf16le').match(/<KID /g)).toHaveLength(2)
    },
  )

  it('keep their key ids, their HLS tags and FairPlay', () => {
    const before = presentation(own)
    expect(merged.keys.get('HD')?.keyIdHex).toBe(HD.toString('hex'))
    expect(boxOf(merged, 'HD', DRM_SYSTEM_IDS.fairplay)).toEqual(
      boxOf(before, 'HD', DRM_SYSTEM_IDS.fairplay),
    )
    expect(boxOf(merged, 'HD', DRM_SYSTEM_IDS.widevine)?.hlsMedia).toEqual(
      boxOf(before, 'HD', DRM_SYSTEM_IDS.widevine)?.hlsMedia,
    )
  })
})

describe("a provider's boxes", () => {
  it('with data of its own stay as they are', () => {
    const content = Buffer.from('2206film01', 'latin1')
    const foreign = (keyId: Buffer): DrmSystem[] => [
      {
        systemId: DRM_SYSTEM_IDS.widevine,
        psshBase64: writePssh(
          DRM_SYSTEM_IDS.widevine,
          Buffer.concat([Buffer.from([0x12, 16]), keyId, content]),
        ).toString('base64'),
      },
    ]
    const before = presentation(foreign)
    expect(mergeKeyBoxes(before)).toEqual(before)
  })
})

it('a ClearKey video stays as it is', () => {
  const before: Presentation = { ...presentation(own), protection: 'clearkey' }
  expect(mergeKeyBoxes(before)).toBe(before)
})
