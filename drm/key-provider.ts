import type { DrmSystem } from '../domain/drm-system.ts'
import type { TrackType } from '../domain/rendition.ts'

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
