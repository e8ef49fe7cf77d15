/** The tracks and the duration of a source file; small and without secrets, because workflow histories store it. */
export interface SourceFacts {
  container: string
  /** Milliseconds; null if the file states none. */
  durationMs: number | null
  video: SourcePicture
  audio: SourceAudio[]
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
}

/** One audio track of a source; tracks keep the order of the file. */
export interface SourceAudio {
  /** The stream's index in the file. */
  index: number
  codec: string
  channels: number
  sampleRate: number
  /** The language tag of the file, such as `eng`; null if it states none. */
  language: string | null
  title: string | null
}
