import { DRM_SYSTEM_IDS } from '../../../domain/drm-system.ts'
import type { DrmSystem } from '../../../domain/drm-system.ts'
import { mergePlayReadyObjects } from '../../../drm/playready-object.ts'
import { parsePssh, writePssh } from '../../../drm/pssh.ts'
import { mergeWidevineData } from '../../../drm/widevine-data.ts'
import type { Presentation } from './presentation.ts'

/**
 * Gives all keys of a Multi-DRM video the same boxes, which name every key id: a CDM then asks for one licence
 * instead of one for each key. Only for boxes that contain nothing but key ids; a provider's own data stays as
 * it is. FairPlay has no boxes: its CDM asks for each key.
 */
export function mergeKeyBoxes(presentation: Presentation): Presentation {
  if (presentation.protection !== 'multi-drm') return presentation
  const keys = [...presentation.keys]
  const all = [...new Map(keys.map(([, key]) => [key.keyIdHex, key.systems])).values()]
  const merged = new Map<string, Partial<DrmSystem>>([
    [DRM_SYSTEM_IDS.widevine, mergedWidevine(all)],
    [DRM_SYSTEM_IDS.playready, mergedPlayReady(all)],
  ])
  return {
    ...presentation,
    keys: new Map(
      keys.map(([trackType, key]) => [
        trackType,
        { ...key, systems: key.systems.map((one) => ({ ...one, ...merged.get(one.systemId) })) },
      ]),
    ),
  }
}

const boxesOf = (all: DrmSystem[][], systemId: string): DrmSystem[] =>
  all.flatMap((systems) => systems.filter((one) => one.systemId === systemId))

function mergedWidevine(all: DrmSystem[][]): Partial<DrmSystem> {
  const boxes = boxesOf(all, DRM_SYSTEM_IDS.widevine).map(({ psshBase64 }) =>
    parsePssh(psshBase64 ?? ''),
  )
  const data = mergeWidevineData(boxes.map((box) => box?.data ?? Buffer.alloc(0)))
  return data === null
    ? {}
    : { psshBase64: writePssh(DRM_SYSTEM_IDS.widevine, data).toString('base64') }
}

function mergedPlayReady(all: DrmSystem[][]): Partial<DrmSystem> {
  const objects = boxesOf(all, DRM_SYSTEM_IDS.playready).map(({ proBase64 }) =>
    Buffer.from(proBase64 ?? '', 'base64'),
  )
  const pro = mergePlayReadyObjects(objects)
  return pro === null
    ? {}
    : {
        proBase64: pro.toString('base64'),
        psshBase64: writePssh(DRM_SYSTEM_IDS.playready, pro).toString('base64'),
      }
}
