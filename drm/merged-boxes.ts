import { DRM_SYSTEM_IDS, type DrmSystem } from '../domain/drm/drm-system.ts'
import { mergePlayReadyObjects } from './playready-object.ts'
import { parsePssh, writePssh } from './pssh.ts'
import { mergeWidevineData } from './widevine-data.ts'

/** The boxes of a system that name all keys of a video. */
export type MergedBoxes = Pick<DrmSystem, 'psshBase64' | 'proBase64'>

/**
 * Returns the boxes that name the keys of all of `keys`, each given by its signalling; null for a system whose boxes
 * differ in more than their key ids. FairPlay has no boxes.
 */
export function mergedBoxes(
  keys: readonly (readonly DrmSystem[])[],
): Record<'widevine' | 'playready', MergedBoxes | null> {
  const all = keys.flat()
  return { widevine: mergedWidevine(all), playready: mergedPlayReady(all) }
}

function mergedWidevine(all: DrmSystem[]): MergedBoxes | null {
  const boxes = all.filter(({ systemId }) => systemId === DRM_SYSTEM_IDS.widevine)
  const data = mergeWidevineData(
    boxes.map(({ psshBase64 }) => parsePssh(psshBase64 ?? '')?.data ?? Buffer.alloc(0)),
  )
  return data && { psshBase64: writePssh(DRM_SYSTEM_IDS.widevine, data).toString('base64') }
}

function mergedPlayReady(all: DrmSystem[]): MergedBoxes | null {
  const boxes = all.filter(({ systemId }) => systemId === DRM_SYSTEM_IDS.playready)
  const pro = mergePlayReadyObjects(
    boxes.map(({ proBase64 }) => Buffer.from(proBase64 ?? '', 'base64')),
  )
  return (
    pro && {
      proBase64: pro.toString('base64'),
      psshBase64: writePssh(DRM_SYSTEM_IDS.playready, pro).toString('base64'),
    }
  )
}
