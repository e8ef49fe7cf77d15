import type { AudioPurpose } from '../encoding/audio-purpose.ts'
import type { VideoWarning } from '../videos/video-warnings.ts'

/** The tracks and the duration of a source file; small and without secrets, because workflow histories store it. */
export interface SourceFacts {
  container: string
  /** Milliseconds; null if the file states none. */
  durationMs: number | null
  video: SourcePicture
  audio: SourceAudio[]
  /** True if the file has chapters or subtitles. Absent in older workflows. */
  hasExtras?: boolean
  /** What of the file is not played, or not as it is. Absent in older workflows. */
  warnings?: VideoWarning[]
}

/** The video track of a source. */
export interface SourcePicture {
  /** The stream's index in the file. */
  index: number
  codec: string
  /** Stored size in pixels. */
  width: number
  height: number
  /** Displayed size in pixels: rotation and pixel aspect ratio applied. */
  displayWidth: number
  displayHeight: number
  /** Degrees, 0 to 270. */
  rotation: number
  /** The frame rate of the encode: exact, constant, at most 60 frames a second; such as `30000/1001`. */
  frameRate: string
  /** The duration that the file states for this track, in milliseconds; null if it states none. */
  durationMs: number | null
  interlaced: boolean
  hdr: 'pq' | 'hlg' | null
  /** Absent in the facts of older workflows. */
  color?: PictureColor
  /** The frames of the encode by the number that the file lists; null if it lists none. Absent in older workflows. */
  statedFrames?: number | null
  /** False if frames are shown for different times, as in recordings of a screen. Absent in older workflows. */
  isConstantRate?: boolean
}

/** How the picture of a source states colours, and the tags of its encodes. The names are those of ffmpeg. */
export interface PictureColor {
  /** The matrix of the source's pixels. */
  sourceMatrix: string
  /** The primaries of the source; null if they are those of the encodes. */
  sourcePrimaries: 'bt2020' | null
  /** Of the encodes, whose range is limited. */
  matrix: string
  primaries: string
  transfer: string
}

/** One audio track of a source: the main one first, then the others in the order of the file (`domain/encoding/audio-purpose.ts`). */
export interface SourceAudio {
  /** The stream's index in the file. */
  index: number
  codec: string
  channels: number
  sampleRate: number
  /** The language of the file, BCP 47 in its canonical form, such as `en`; null if it states none. */
  language: string | null
  title: string | null
  /** Absent for audio without a special purpose, and in older workflows. */
  purpose?: AudioPurpose
  /** Where its frames are, if it can be read from the middle; absent if its times are uneven or were not read. */
  grid?: FrameGrid
}

/** The times of the frames of an audio track. Containers round them; these are exact. */
export interface FrameGrid {
  /** Each frame begins at a multiple of it behind `startSample`; 1 if the container has exact times. */
  frameSamples: number
  /** Samples of the source from the start of the file. */
  startSample: number
  /** How much its container may round a time, in samples. */
  tickSamples: number
}
