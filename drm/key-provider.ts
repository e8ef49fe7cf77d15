import type { DrmSystem } from '../domain/drm-system.ts'
import type { TrackType } from '../domain/rendition.ts'

/** A content key in plain form; kept in memory only while it is used. */
export interface ContentKey {
  /** The tracks that it encrypts, at least one. */
  trackTypes: TrackType[]
  /** 16 bytes each. */
  keyId: Buffer
  key: Buffer
  /** 16 bytes as hex; null lets the packager choose one. */
  ivHex: string | null
  systems: DrmSystem[]
}

/** Creates the content keys of one video, one for each track type, or shared by several. */
export interface KeyProvider {
  createKeys(request: { videoId: string; trackTypes: TrackType[] }): Promise<ContentKey[]>
}
