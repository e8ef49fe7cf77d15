import type { PlayerData } from '../../player-data.ts'
import type { Problems } from '../problems.ts'
import type { DrmSupport } from './drm-support.ts'

/** Loads the support of DRM systems. Resolves to null for a ClearKey video. */
export async function loadDrm({ drm }: PlayerData, problems: Problems): Promise<DrmSupport | null> {
  if (!drm) return null
  const { startDrm }: typeof import('../drm/drm.ts') = await import(drm.moduleUrl)
  return startDrm(drm, problems)
}
