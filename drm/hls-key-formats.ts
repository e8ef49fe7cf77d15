import { DRM_SYSTEM_IDS, type DrmSystemName } from '../domain/drm/drm-system.ts'

/** KEYFORMAT of EXT-X-KEY for each system, in lowercase. */
export const HLS_KEY_FORMATS: Readonly<Record<DrmSystemName, string>> = {
  widevine: `urn:uuid:${DRM_SYSTEM_IDS.widevine}`,
  playready: 'com.microsoft.playready',
  fairplay: 'com.apple.streamingkeydelivery',
}
