import type { AudioPurpose } from '../encoding/audio-purpose.ts'
import type { TrackLoudness } from '../encoding/loudness.ts'

/** Which content key encrypts a track: one key per video and track type. */
export type TrackType = 'AUDIO' | 'SD' | 'HD' | 'UHD'

/** One media segment of a rendition, in playback order. */
export interface Segment {
  durationTicks: number
  sizeBytes: number
}

/** A published rendition (a rung of the ladder, or an audio track), with everything that a manifest needs. */
export interface Rendition {
  kind: 'video' | 'audio'
  /** `720p` for a rung, `audio-0` for the main audio track. */
  name: string
  trackType: TrackType
  /** RFC 6381, such as `avc1.64001f` or `mp4a.40.2`. */
  codecs: string
  width: number | null
  height: number | null
  /** An exact rational, such as `30000/1001`; null for audio. */
  frameRate: string | null
  /** BCP 47; null if the source states none. */
  language: string | null
  label: string | null
  /** Absent for audio without a special purpose, and for renditions that were published before it was read. */
  purpose?: AudioPurpose
  channels: number | null
  sampleRate: number | null
  /** The peak over the segments, in bits per second. */
  bandwidthBps: number
  averageBandwidthBps: number
  /** Ticks per second of the segment durations. */
  timescale: number
  segments: Segment[]
  /** Which attempts made the segments, in order. Absent for renditions that were published before chunks. */
  parts?: RenditionPart[]
  durationMs: number
  sizeBytes: number
  /** How much of the track is damaged or missing in the source; absent if nothing is. */
  damagedPercent?: number
  /** Of audio; absent for video, and for renditions that were published before loudness was measured. */
  loudness?: TrackLoudness
}

/** The neighbouring segments that one attempt made. Their objects are under `partPrefix`. */
interface RenditionPart {
  /** The number of its first segment, from 1. */
  firstSegment: number
  /** Names the attempt: eight hex characters. */
  token: string
}

/** The track type of a video rung by its short side: SD to 480, HD to 1080, UHD above. */
export function videoTrackType(shortSide: number): TrackType {
  if (shortSide <= 480) return 'SD'
  return shortSide <= 1080 ? 'HD' : 'UHD'
}

/** Frames per second of an exact rational such as `30000/1001`. */
export function framesPerSecond(frameRate: string): number {
  const [numerator = 0, denominator = 1] = frameRate.split('/').map(Number)
  return numerator / denominator
}
