/** What an activity tells of a failure that belongs to the video, not to the machinery. */
export interface VideoFailure {
  /** A stable code, such as `source_unreachable` or `no_video_stream`. */
  code: string
  /** For the integrator to read; never carries the source URL. */
  message: string
}

export type DownloadOutcome = { ok: true; sizeBytes: number } | ({ ok: false } & VideoFailure)

export interface IngestVideoInput {
  videoId: string
  accountId: number
}

/** `failed` is the result of older workflows; today a failed video fails its workflow under the same code. */
export type IngestVideoResult = 'ready' | 'failed' | 'gone'

/** The durable wait after failed download attempt 1 and 2; the third failure ends the video. */
export const DOWNLOAD_WAITS_MS = [5_000, 15_000] as const

/** The failure type with which an activity says that there is nothing left to work on. */
export const VIDEO_GONE = 'video_gone'

export type RungStage = 'waiting' | 'encoding' | 'published'

/** The answer of the `progress` query of a video's workflow. */
export interface IngestProgress {
  stage: 'download' | 'prepare' | 'encode' | 'finish' | 'done'
  /** The renditions in the order in which they are encoded. */
  renditions: { name: string; stage: RungStage }[]
}

/**
 * A step that shows no progress for this long is hung. A healthy step can be silent before the first frame:
 * a long seek in a file without an index, or 4K with tone mapping beside other encoders.
 */
export const STALL_MS = 120_000

/** How often a step that makes progress says so. */
export const BEAT_EVERY_MS = 5_000

/** Temporal takes a worker for dead that has not been heard of for this long. */
export const HEARTBEAT_TIMEOUT_MS = 20_000

/**
 * So often a tool may crash or hang in one step before the video is at fault. With the waits between, that takes ten
 * minutes or more: a machine that is out of memory, or starved by other work, kills tools too.
 */
export const TOOL_ATTEMPTS = 10

/** What a running activity reports with its heartbeat. */
export interface ActivityProgress {
  /** The rendition that it works on; absent for a download. */
  rendition?: string
  /** From 0 to 1; null where the total is not known. */
  fraction: number | null
  /** Bytes so far, for a download. */
  bytes?: number
  /** How often a tool has crashed or hung in earlier attempts. */
  toolFailures?: number
}
