import {
  DRM_SYSTEM_IDS,
  type DrmSystem,
  type DrmSystemName,
  type HlsKeyTag,
} from '../domain/drm/drm-system.ts'
import { HLS_KEY_FORMATS } from './hls-key-formats.ts'
import { writePlayReadyObject } from './playready-object.ts'
import { writePssh } from './pssh.ts'
import { uuidOf } from './uuid.ts'
import { widevineData } from './widevine-data.ts'

/**
 * The signalling of a key that was made here, as a key server would send it: `keyId` and `iv` have 16 bytes each.
 * The FairPlay address names both, as Axinom reads it: `skd://<key id>:<IV>` (Axinom, "Prepare HLS content").
 */
export function ownSignalling(keyId: Buffer, iv: Buffer): DrmSystem[] {
  const widevine = writePssh(DRM_SYSTEM_IDS.widevine, widevineData(keyId)).toString('base64')
  const pro = writePlayReadyObject(keyId)
  const ivHex = iv.toString('hex')
  return [
    {
      systemId: DRM_SYSTEM_IDS.widevine,
      psshBase64: widevine,
      ...hlsTags('widevine', `data:text/plain;base64,${widevine}`, keyId.toString('hex')),
    },
    {
      systemId: DRM_SYSTEM_IDS.playready,
      psshBase64: writePssh(DRM_SYSTEM_IDS.playready, pro).toString('base64'),
      proBase64: pro.toString('base64'),
      ...hlsTags('playready', `data:text/plain;charset=UTF-16;base64,${pro.toString('base64')}`),
    },
    {
      systemId: DRM_SYSTEM_IDS.fairplay,
      ...hlsTags('fairplay', `skd://${uuidOf(keyId)}:${ivHex.toUpperCase()}`),
    },
  ]
}

function hlsTags(
  system: DrmSystemName,
  uri: string,
  keyIdHex: string | null = null,
): Pick<DrmSystem, 'hlsMedia' | 'hlsMaster'> {
  const keyFormat = HLS_KEY_FORMATS[system]
  const tag: HlsKeyTag = { uri, keyFormat, keyFormatVersions: '1', keyIdHex, ivHex: null }
  return { hlsMedia: tag, hlsMaster: tag }
}
