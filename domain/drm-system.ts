/** What one DRM system needs in the manifests and the init segments to find a key. */
export interface DrmSystem {
  /** Lowercase UUID, such as Widevine's `edef8ba9-79d6-4ace-a3c8-27dcd51d21ed`. */
  systemId: string
  /** A complete pssh box. */
  psshBase64?: string
  /** Content of the ContentProtection element in the MPD. */
  contentProtectionXml?: string
  /** Attributes of EXT-X-KEY in the media playlist. */
  hlsKeyUri?: string
  hlsKeyFormat?: string
}
