import type { TrackType } from '../domain/rendition.ts'

/** What one DRM needs in the manifests and the init segments to find its key. */
export interface DrmSystem {
  /** UUID in lowercase, such as Widevine's `edef8ba9-79d6-4ace-a3c8-27dcd51d21ed`. */
  systemId: string
  /** A whole pssh box. */
  psshBase64?: string
  /** What stands inside the ContentProtection element of the MPD. */
  contentProtectionXml?: string
  /** The EXT-X-KEY attributes of the media playlist. */
  hlsKeyUri?: string
  hlsKeyFormat?: string
}

/** A key in the clear: it lives in memory for as long as it is used. */
export interface ContentKey {
  trackType: TrackType
  /** 16 bytes each. */
  keyId: Buffer
  key: Buffer
  /** 16 bytes as hex; a provider that leaves it out has the packager draw one. */
  ivHex?: string
  systems: DrmSystem[]
}

/** Makes the content keys of one video, one for each track type (design, section 5). */
export interface KeyProvider {
  createKeys(request: { videoId: string; trackTypes: TrackType[] }): Promise<ContentKey[]>
}
