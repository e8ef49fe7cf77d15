export const DRM_SYSTEM_NAMES = ['widevine', 'playready', 'fairplay'] as const

export type DrmSystemName = (typeof DRM_SYSTEM_NAMES)[number]

/** DASH-IF's registered system ids, lowercase. A Multi-DRM video has signalling for each of them. */
export const DRM_SYSTEM_IDS = {
  widevine: 'edef8ba9-79d6-4ace-a3c8-27dcd51d21ed',
  playready: '9a04f079-9840-4286-ab92-e65be0885f95',
  fairplay: '94ce86fb-07ff-4f43-adb8-93d2fa968ca2',
} as const satisfies Record<DrmSystemName, string>

/**
 * The attributes of an EXT-X-KEY or EXT-X-SESSION-KEY tag (RFC 8216, section 4.3.2.4), parsed strictly.
 * METHOD is always SAMPLE-AES.
 */
export interface HlsKeyTag {
  /** `skd://…` or `data:…`; opaque. */
  uri: string
  keyFormat: string
  /** Such as `1`; null if the tag has none. */
  keyFormatVersions: string | null
  /** 32 characters of lowercase hex each; null if the tag has none. */
  keyIdHex: string | null
  ivHex: string | null
}

/**
 * What one DRM system needs in the manifests and the init segments to find one key. Manifests are written
 * from these fields; nothing that a provider sends is copied into them as it is.
 */
export interface DrmSystem {
  /** Lowercase UUID (`DRM_SYSTEM_IDS`). */
  systemId: string
  /** A complete pssh box. FairPlay has none. */
  psshBase64?: string
  /** The PlayReady object of `mspr:pro`; PlayReady only. */
  proBase64?: string
  /** EXT-X-KEY of the media playlist. */
  hlsMedia?: HlsKeyTag
  /** EXT-X-SESSION-KEY of the master playlist. */
  hlsMaster?: HlsKeyTag
}
