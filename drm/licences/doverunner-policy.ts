import { demandsOf, type KeyDemands } from '../../domain/drm/licence-policy.ts'
import type { TrackType } from '../../domain/videos/rendition.ts'
import type { LicenceKey, LicenceRequest } from './licence-adapter.ts'

/**
 * The license policy, version 2 (DoveRunner, "License Token Guide"): never persistent, rules for each track
 * type, only the tracks of the session's keys, and keys of ours as external keys.
 */
export function doverunnerPolicy({ keys, policy, system }: LicenceRequest): object {
  return {
    policy_version: 2,
    playback_policy: {
      persistent: false,
      license_duration: policy.licenceSeconds,
      allowed_track_types: allowedTracks(keys),
      ...(policy.renewalSeconds !== null && { renewal_duration: policy.renewalSeconds }),
    },
    security_policy: keys.flatMap((key) =>
      trackNames(key).map((name) => ({
        track_type: name,
        ...securityOf(demandsOf(key.trackTypes, policy)),
      })),
    ),
    ...externalKeys(keys, system === 'fairplay'),
  }
}

/** DoveRunner tells two sizes of UHD; a key of ours opens both. */
const TRACK_NAMES: Record<TrackType, string[]> = {
  AUDIO: ['AUDIO'],
  SD: ['SD'],
  HD: ['HD'],
  UHD: ['UHD1', 'UHD2'],
}

const trackNames = ({ trackTypes }: LicenceKey): string[] =>
  trackTypes.flatMap((type) => TRACK_NAMES[type])

/** Keys of larger tracks than these are left out of the licence. */
function allowedTracks(keys: LicenceKey[]): string {
  const has = (type: TrackType): boolean => keys.some((key) => key.trackTypes.includes(type))
  if (has('UHD')) return 'ALL'
  return has('HD') ? 'SD_HD' : 'SD_ONLY'
}

const WIDEVINE_HDCP = {
  none: 'HDCP_NONE',
  attempt: 'HDCP_NONE',
  type0: 'HDCP_V1',
  type1: 'HDCP_V2_2',
}
const PLAYREADY_OPL = { none: 100, attempt: 250, type0: 300, type1: 300 }
const FAIRPLAY_HDCP = { none: -1, attempt: -1, type0: 0, type1: 1 }

/** Widevine's levels are SW_SECURE_CRYPTO (1) to HW_SECURE_ALL (5). */
const securityOf = ({ hardware, hdcp }: KeyDemands): object => ({
  widevine: {
    security_level: hardware ? 5 : 1,
    required_hdcp_version: WIDEVINE_HDCP[hdcp],
  },
  playready: {
    security_level: hardware ? 3000 : 2000,
    digital_video_protection_level: PLAYREADY_OPL[hdcp],
    require_hdcp_type_1: hdcp === 'type1',
  },
  fairplay: {
    hdcp_enforcement: FAIRPLAY_HDCP[hdcp],
    allow_av_adapter: FAIRPLAY_HDCP[hdcp] === -1,
  },
})

/** FairPlay's external keys are those of `hls_aes`, the others' those of `mpeg_cenc`. */
function externalKeys(keys: LicenceKey[], isFairplay: boolean): object {
  const external = keys.flatMap((one) => {
    const { key, keyIdHex, ivHex } = one
    if (key === null) return []
    return trackNames(one).map((name) => ({
      track_type: name,
      ...(isFairplay ? {} : { key_id: keyIdHex }),
      key: key.toString('hex'),
      ...(ivHex !== null && { iv: ivHex }),
    }))
  })
  if (external.length === 0) return {}
  return { external_key: isFairplay ? { hls_aes: external } : { mpeg_cenc: external } }
}
