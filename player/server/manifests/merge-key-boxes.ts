import { DRM_SYSTEM_IDS } from '../../../domain/drm/drm-system.ts'
import { mergedBoxes, type MergedBoxes } from '../../../drm/merged-boxes.ts'
import type { Presentation } from './presentation.ts'

/**
 * Gives all keys of a Multi-DRM video the same boxes, which name every key id: a CDM then asks for one licence
 * instead of one for each key. Boxes that differ in more than their key ids stay as they are. FairPlay has no boxes:
 * its CDM asks for each key.
 */
export function mergeKeyBoxes(presentation: Presentation): Presentation {
  if (presentation.protection !== 'multi-drm') return presentation
  const keys = [...presentation.keys]
  const all = [...new Map(keys.map(([, key]) => [key.keyIdHex, key.systems])).values()]
  const { widevine, playready } = mergedBoxes(all)
  const merged = new Map<string, MergedBoxes | null>([
    [DRM_SYSTEM_IDS.widevine, widevine],
    [DRM_SYSTEM_IDS.playready, playready],
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
