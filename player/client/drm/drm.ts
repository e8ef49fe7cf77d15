import type { PlayerDrm } from '../../player-data.ts'
import type { DrmSupport } from '../playback/drm-support.ts'
import type { ShakaVariant } from '../playback/shaka.ts'
import type { Problems } from '../problems.ts'
import { fetchCertificate } from './certificates.ts'
import { drmProblemOf } from './drm-problems.ts'
import { keepGrantedLevels } from './granted-levels.ts'
import { hardwareSystems } from './hardware.ts'
import { keySystemConfiguration, keySystemsOf, type KeySystem } from './key-systems.ts'
import { retryLicences } from './licence-retries.ts'
import { findObstacles } from './obstacles.ts'

/**
 * Prepares the playback of a Multi-DRM video. A module of its own, so that the pages of other videos do not
 * load it.
 */
export async function startDrm(drm: PlayerDrm, problems: Problems): Promise<DrmSupport> {
  const systems = await playableSystems(drm)
  const retries = retryLicences(problems)
  let hasExpired = false
  const certificates = await Promise.all(
    systems.map(async ({ system }) => {
      let isWaiting = false
      const certificate = await fetchCertificate(system, drm, () => {
        isWaiting = true
        problems.show('drm_unavailable')
      })
      if (isWaiting) problems.clear('drm_unavailable')
      return certificate && ([system, certificate] as const)
    }),
  )
  const known = Object.fromEntries(certificates.filter((one) => one !== null))
  let variants: readonly ShakaVariant[] = []
  const isFairPlay = systems.some(({ system }) => system === 'fairplay')
  return {
    configuration: {
      ...keySystemConfiguration(systems, drm, known, location.href),
      failureCallback: retries.onFailure,
    },
    hlsUrl: isFairPlay ? drm.fairplayHlsUrl : null,
    connect(player) {
      retries.connect(player)
      // Once for each load, because Shaka Player warns each time. It is the only place that names the rungs
      // without a key; its variants stay up to date.
      player.addEventListener('loaded', () => (variants = player.getManifest()?.variants ?? []))
      player.addEventListener('loaded', () => keepGrantedLevels(systems, () => variants), {
        once: true,
      })
      player.addEventListener('drmsessionupdate', () => {
        // Widevine's CDM renews by itself.
        const renewalIntervalSec = player.keySystem().startsWith('com.widevine')
          ? 0
          : (drm.renewalSeconds ?? 0)
        player.configure({ drm: { renewalIntervalSec } })
      })
    },
    problemOf(error) {
      const problem = drmProblemOf(error, { isFairPlay, lastRefusal: retries.lastRefusal() })
      hasExpired ||= problem === 'drm_expired'
      // A CDM takes no renewal that comes after the end: the end is what the viewer is told.
      return hasExpired && problem === 'licence_refused' ? 'drm_expired' : problem
    },
    obstacles: (player, video) => findObstacles(player, video, variants, drm),
  }
}

/**
 * Returns the key systems to try. In App-Only mode, these are the ones in hardware; without any, the page is
 * replaced by the one that says so, and the promise never resolves.
 */
async function playableSystems({ noHardwareUrl }: PlayerDrm): Promise<KeySystem[]> {
  const systems = keySystemsOf(navigator)
  if (noHardwareUrl === null) return systems
  const hardware = await hardwareSystems(systems)
  if (hardware.length > 0) return hardware
  location.replace(noHardwareUrl)
  return new Promise(() => {})
}
