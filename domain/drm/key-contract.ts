import type { TrackType } from '../videos/rendition.ts'

/** Which tracks of a Multi-DRM video share a content key (`DRM_KEYS`). */
export const KEY_SHARINGS = ['separate', 'video-shared', 'all-shared'] as const

export type KeySharing = (typeof KEY_SHARINGS)[number]

/**
 * The name of a content key among those of its video: the track type that it encrypts, or `VIDEO` or `ALL`
 * if several share it. It is also CPIX's `intendedTrackType`.
 */
export type KeyName = TrackType | 'VIDEO' | 'ALL'

/** One content key of a video, before it exists. */
export interface KeyGroup {
  name: KeyName
  /** The tracks that it encrypts, at least one. */
  trackTypes: TrackType[]
}

/** The keys of a Multi-DRM video, always for every track type, whatever rungs the video has. */
export const KEY_GROUPS: Readonly<Record<KeySharing, readonly KeyGroup[]>> = {
  separate: ownKeys(['AUDIO', 'SD', 'HD', 'UHD']),
  'video-shared': [...ownKeys(['AUDIO']), { name: 'VIDEO', trackTypes: ['SD', 'HD', 'UHD'] }],
  'all-shared': [{ name: 'ALL', trackTypes: ['AUDIO', 'SD', 'HD', 'UHD'] }],
}

/** A key for each track type. */
export function ownKeys(trackTypes: readonly TrackType[]): KeyGroup[] {
  return trackTypes.map((trackType) => ({ name: trackType, trackTypes: [trackType] }))
}

/** How many pixels a picture of a video track type has (AWS, "SPEKE API v2 - Encryption contract"). */
export const PIXELS = {
  SD: { max: 589_824 },
  HD: { min: 589_825, max: 2_073_600 },
  UHD: { min: 2_073_601 },
} as const satisfies Partial<Record<TrackType, { min?: number; max?: number }>>

/** The track type of a video rung in the contract with a DRM provider: by the pixels of its picture. */
export function trackTypeByPixels({ width, height }: { width: number; height: number }): TrackType {
  const pixels = width * height
  if (pixels <= PIXELS.SD.max) return 'SD'
  return pixels <= PIXELS.HD.max ? 'HD' : 'UHD'
}
