import type { DrmSystem } from '../domain/drm/drm-system.ts'
import type { KeyGroup } from '../domain/drm/key-contract.ts'
import type { KeyModel } from '../domain/drm/key-model.ts'
import type { TrackType } from '../domain/videos/rendition.ts'

/** A content key in plain form; kept in memory only while it is used. */
export interface ContentKey extends KeyGroup {
  /** 16 bytes each. */
  keyId: Buffer
  key: Buffer
  /** 16 bytes as hex; null lets the packager choose one. */
  ivHex: string | null
  systems: DrmSystem[]
}

/** A key to make, with the id and the IV that are proposed for it, 16 bytes each. */
export interface WantedKey extends KeyGroup {
  keyId: Buffer
  iv: Buffer
}

/** Makes the content keys of videos. */
export interface KeyProvider {
  /** Where the keys of a Multi-DRM video come from; null for ClearKey. */
  model: KeyModel | null
  /** The keys of a video that needs keys for these track types. */
  groups(trackTypes: readonly TrackType[]): readonly KeyGroup[]
  /** Makes every wanted key of one video. With the model `provider`, the same request returns the same keys. */
  createKeys(request: KeysRequest): Promise<ContentKey[]>
}

export interface KeysRequest {
  videoId: string
  keys: readonly WantedKey[]
  signal?: AbortSignal
}
