import { isHardwareLevel, type KeySystem } from './key-systems.ts'

/** The picture of every rung: H.264 in `cbcs`. Hardware that decodes the lowest profile has the protection. */
const PICTURE = { contentType: 'video/mp4; codecs="avc1.42E01E"', encryptionScheme: 'cbcs' }

/**
 * Returns the systems that this browser really has in hardware, with only those levels for the picture, so that
 * Shaka Player does not step down to software. Empty: App-Only mode plays nothing here.
 */
export async function hardwareSystems(systems: readonly KeySystem[]): Promise<KeySystem[]> {
  const found = await Promise.all(systems.map(inHardware))
  return found.filter((one) => one !== null)
}

async function inHardware(one: KeySystem): Promise<KeySystem | null> {
  const videoRobustness = one.videoRobustness.filter(isHardwareLevel)
  // FairPlay has no levels: Apple's devices decrypt in hardware.
  const levels = one.system === 'fairplay' ? [''] : videoRobustness
  const wanted = levels.map((robustness) => ({
    initDataTypes: [one.system === 'fairplay' ? 'sinf' : 'cenc'],
    videoCapabilities: [robustness === '' ? PICTURE : { ...PICTURE, robustness }],
  }))
  try {
    await navigator.requestMediaKeySystemAccess(one.name, wanted)
    return { ...one, videoRobustness }
  } catch {
    return null
  }
}
