import type { DrmSystemName } from '../../../domain/drm/drm-system.ts'
import { licences } from '../../../metrics/playback.ts'
import { PlayerError } from '../player-error.ts'

/** Resolves like `grant`, and counts the licence or its refusal. Other errors are no response of the licence endpoint. */
export async function countedLicence<T>(
  system: DrmSystemName | 'clearkey',
  grant: Promise<T>,
): Promise<T> {
  try {
    const granted = await grant
    licences.inc({ system, outcome: 'served' })
    return granted
  } catch (error) {
    if (error instanceof PlayerError) licences.inc({ system, outcome: error.code })
    throw error
  }
}
