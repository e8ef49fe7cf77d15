import type { DrmSystemName } from '../../../domain/drm/drm-system.ts'
import type { PlayerDrm } from '../../player-data.ts'

/** A way to decrypt that a browser may have. */
export interface KeySystem {
  system: DrmSystemName
  /** The name that manifests mean; Shaka Player knows the systems by it. */
  announced: string
  /** The name that the browser is asked for. */
  name: string
  /** In order; the first that the browser has is used. */
  videoRobustness: string[]
  audioRobustness: string[]
}

/**
 * Widevine's levels, best first. On Windows, a configuration may not mix levels of hardware and software: so
 * audio is asked for in hardware first, too (Chromium, `components/cdm/renderer/widevine_key_system_info.cc`).
 */
const WIDEVINE: KeySystem = {
  system: 'widevine',
  announced: 'com.widevine.alpha',
  name: 'com.widevine.alpha',
  videoRobustness: ['HW_SECURE_ALL', 'SW_SECURE_DECODE', 'SW_SECURE_CRYPTO'],
  audioRobustness: ['HW_SECURE_ALL', 'SW_SECURE_CRYPTO'],
}

/** Only in hardware: the software of Windows does not decrypt `cbcs`. The level is for the picture alone. */
const PLAYREADY: KeySystem = {
  system: 'playready',
  announced: 'com.microsoft.playready',
  name: 'com.microsoft.playready.recommendation',
  videoRobustness: ['3000'],
  audioRobustness: [],
}

/** FairPlay has no levels. */
const FAIRPLAY: KeySystem = {
  system: 'fairplay',
  announced: 'com.apple.fps',
  name: 'com.apple.fps',
  videoRobustness: [],
  audioRobustness: [],
}

/** What tells the platform: the User-Agent, and the vendor that `navigator` names. */
export interface Platform {
  userAgent: string
  vendor: string
}

/** Returns the key systems to try on a platform, in this order. */
export function keySystemsOf({ userAgent, vendor }: Platform): KeySystem[] {
  if (vendor.startsWith('Apple')) return [FAIRPLAY]
  // Edge has both on Windows. Without hardware it has Widevine in software, where the plan allows that.
  if (/\bWindows\b/.test(userAgent) && /\bEdg\//.test(userAgent)) return [PLAYREADY, WIDEVINE]
  return [WIDEVINE]
}

/**
 * Returns the part of Shaka Player's `drm` configuration that names key systems, licence servers and levels.
 * `certificates` are those that have arrived. Identifiers and stored state stay optional: browsers that need
 * them for hardware take them, and private windows do not fail for them.
 */
export function keySystemConfiguration(
  systems: readonly KeySystem[],
  drm: PlayerDrm,
  certificates: Partial<Record<DrmSystemName, Uint8Array>>,
  base: string,
) {
  const advanced = systems.flatMap((one) => {
    const serverCertificate = certificates[one.system]
    const { videoRobustness, audioRobustness } = one
    const value = {
      videoRobustness,
      audioRobustness,
      ...(serverCertificate && { serverCertificate }),
    }
    // Shaka Player looks up the certificate under the announced name, and levels under the mapped one.
    return [...new Set([one.announced, one.name])].map((name) => [name, value] as const)
  })
  return {
    servers: Object.fromEntries(
      systems.map(({ announced, system }) => [
        announced,
        new URL(drm.servers[system].licenceUrl, base).href,
      ]),
    ),
    advanced: Object.fromEntries(advanced),
    preferredKeySystems: systems.map(({ name }) => name),
    keySystemsMapping: Object.fromEntries(
      systems.flatMap(({ announced, name }) => (announced === name ? [] : [[announced, name]])),
    ),
  }
}

/** True for a level of Widevine or PlayReady that decrypts and decodes in hardware. */
export const isHardwareLevel = (robustness: string): boolean =>
  robustness.startsWith('HW_') || robustness === '3000'
