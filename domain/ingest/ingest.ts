import type { ChunkPlan } from '../encoding/chunks.ts'
import type { Rung } from '../encoding/ladder.ts'
import type { TrackType } from '../videos/rendition.ts'
import type { SourceAudio, SourceFacts } from './source-facts.ts'

/** The video that a workflow or a step works on. */
export interface IngestVideoInput {
  videoId: string
  accountId: number
}

/** The uploaded picture that a workflow makes the poster of its video. */
export interface SetPosterInput extends IngestVideoInput {
  /** The number of the upload. */
  number: number
}

/** `failed` is the result of older workflows; today a failed video fails its workflow with the same code. */
export type IngestVideoResult = 'ready' | 'failed' | 'gone'

export interface DownloadSourceInput extends IngestVideoInput {
  /**
   * True if the workflow counts failures of the activity as download attempts. Absent in older workflows, which get a
   * failed attempt as a result.
   */
  countsFailures?: boolean
}

export interface PrepareEncodingInput extends IngestVideoInput {
  /**
   * True if the workflow has a step for the keys of a Multi-DRM video. Absent in older workflows, whose video gets its
   * keys while it is prepared.
   */
  hasKeyStep?: boolean
}

export interface CreateContentKeysInput extends IngestVideoInput {
  /** The track types that the video needs. */
  trackTypes: TrackType[]
  /** The names of its renditions, which wait for their encoders afterwards. */
  renditions: string[]
}

/** Why a video failed: a fault of the video, or `internal_error`. */
export interface VideoFailure {
  /** A stable code, such as `source_unreachable` or `no_video_stream`. */
  code: string
  /** For the integrator; never contains the source URL. */
  message: string
}

/** `ok: false` is for older workflows, and the result of older workers. */
export type DownloadOutcome = { ok: true; sizeBytes: number } | ({ ok: false } & VideoFailure)

/** The renditions to encode; small and without secrets, because workflow histories store it. */
export interface EncodingPlan {
  facts: SourceFacts
  /** In the order of encoding: the lowest useful rung first. */
  rungs: Rung[]
  audio: AudioTrack[]
  /** How the video is cut; absent in plans of older workflows, which encode each rung by one activity. */
  chunks?: ChunkPlan
  /** True if a step encodes pieces for trial, which decide on all rungs but the first (ADR 0034). */
  isSampled?: boolean
  /** True if the audio, if any, is encoded in pieces, with the chunks of the first rung (ADR 0048). */
  hasSoundPieces?: boolean
  /** The track types that still need keys; absent if the video has its keys. */
  keysFor?: TrackType[]
}

/** One audio track to encode: `audio-0` is made from the source's main one. */
export interface AudioTrack {
  name: string
  /** Position in `facts.audio`. */
  position: number
  /** Brings it to the target of `domain/encoding/loudness.ts`. Absent in older workflows. */
  normalizesLoudness?: boolean
}

export interface ChooseRungsInput extends IngestVideoInput {
  picture: Omit<SourceFacts, 'audio'>
  /** The whole ladder. */
  rungs: Rung[]
}

/** Rungs of a video that are encoded together, chunk by chunk. */
export interface RungGroup extends IngestVideoInput {
  /** Without the audio, because a history holds it once for each chunk. */
  picture: Omit<SourceFacts, 'audio'>
  rungs: Rung[]
  /** True for the rung that is encoded first: its pictures also make the storyboard. */
  isFirst: boolean
  /** The audio renditions that must be published before the video counts as playable. */
  audioNames: string[]
  plan: ChunkPlan
  /** The audio that is encoded with the chunks of the first rung. Absent for other rungs, if it is encoded as one, and in older workflows. */
  sound?: PartAudio
  /** True if viewers decide on the order of the chunks. Absent for other rungs, videos of one chunk and in older workflows. */
  followsPlayheads?: boolean
  /** True if the machine that encodes a chunk chooses it, of those that are free (ADR 0076). Absent for the first rung, videos of one chunk and in older workflows. */
  followsReads?: boolean
}

/** The audio of a video that is encoded in pieces. */
export interface PartAudio {
  /** Of the source. */
  audio: SourceAudio[]
  tracks: AudioTrack[]
}

export interface EncodeChunkInput extends RungGroup {
  /** Of the chunk, from 0. */
  index: number
}

export interface EncodeNextChunkInput extends RungGroup {
  /** From 0; there are as many as chunks. Which chunk it gets is decided when it begins (`domain/encoding/next-chunk.ts`). */
  ticket: number
}

/** The input of `encodeNextPart`: a chunk of the first rung, and the audio that belongs to it. */
export interface EncodeNextPartInput extends EncodeNextChunkInput {
  sound: PartAudio
}

/** The same, once the chunk is known. */
export interface EncodePartInput extends EncodeChunkInput {
  sound: PartAudio
}

/** A range of the chunks of a long video. */
export interface EncodeChunksInput extends RungGroup {
  /** Indexes of the first chunk, and of the one after the last; tickets if the group follows playheads or reads. */
  from: number
  to: number
}

/** What the encode of one rendition needs to know of its video. */
interface EncodeInput extends IngestVideoInput {
  facts: SourceFacts
  /** The audio renditions that must be published before the video counts as playable. */
  audioNames: string[]
}

/** Of older workflows, which encode each rung of a video whole and by itself. */
export interface EncodeRungInput extends EncodeInput {
  rung: Rung
  /** True for the rung that is encoded first: its pictures also make the storyboard. */
  isFirst: boolean
}

export interface EncodeAudioInput extends EncodeInput {
  track: AudioTrack
}

export interface FinishVideoInput extends IngestVideoInput {
  facts: SourceFacts
  /** The names of the renditions that the workflow has made. Absent in older workflows. */
  renditions?: string[]
}

export type RungStage = 'waiting' | 'encoding' | 'published'

/** The result of the `progress` query of a video's workflow. */
export interface IngestProgress {
  stage: 'download' | 'prepare' | 'keys' | 'encode' | 'finish' | 'done'
  /** The renditions in the order of encoding. */
  renditions: RenditionProgress[]
}

export interface RenditionProgress {
  name: string
  stage: RungStage
  /** Chunks that are recorded, and all of them; absent for audio that is encoded as one, and in older workflows. */
  chunks?: { done: number; count: number }
}

/** What a running step reports with its heartbeat. */
export interface ActivityProgress {
  /** The renditions that it works on; absent for a download. */
  renditions?: readonly string[]
  /** From 0 to 1; null if the total is not known. */
  fraction: number | null
  /** Bytes so far, for a download. */
  bytes?: number
  /** How many times a tool has crashed or hung in earlier attempts. */
  toolFailures?: number
}

/** The failure type of a chunk that does not fit its place in the video (`media/encode/encode-chunk.ts`). */
export const CHUNK_NOT_EXACT = 'chunk_not_exact'

/** The failure type of a step whose video was deleted or has ended. */
export const VIDEO_GONE = 'video_gone'

/**
 * The durable wait after failed download attempt 1 and 2; the third failure ends the video. A server that is restarted
 * is back by then.
 */
export const DOWNLOAD_WAITS_MS = [60_000, 600_000] as const

/**
 * A step that shows no progress for this long is hung. A healthy step can be silent before its first frame:
 * a long seek in a file without an index, or 4K with tone mapping while other encoders run.
 */
export const STALL_MS = 120_000

/** How often a step that makes progress sends a heartbeat, and the most often that the worker passes one on. */
export const BEAT_EVERY_MS = 5_000

/** Temporal treats a worker as dead after this long without a heartbeat. */
export const HEARTBEAT_TIMEOUT_MS = 20_000

/**
 * How many times a tool may crash or hang in one step before the video fails. With the waits between
 * attempts this takes at least ten minutes, because a machine that is out of memory or overloaded kills tools too.
 */
export const TOOL_ATTEMPTS = 10

/**
 * How many times a DRM provider that is away is asked for keys before the video fails. With the waits below this
 * takes about twelve hours.
 */
export const KEY_ATTEMPTS = 150

/** With growing waits of up to five minutes, for as long as the error lasts. */
export const ENDLESS_RETRY = {
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
} as const

/** How many times a step may fail by internal errors before its video fails: the waits between them take two weeks. */
export const INTERNAL_ERROR_ATTEMPTS = 4_040

/**
 * How Temporal retries a step of an ingest after an internal error, such as a full disk or unavailable storage
 * (`activities/ingest/step-failure.ts`). Only attempts count, not time: a step that waits in the queue behind other videos,
 * or because there is no encoder, waits for as long as it takes.
 */
export const INTERNAL_ERROR_RETRY = {
  retry: { ...ENDLESS_RETRY.retry, maximumAttempts: INTERNAL_ERROR_ATTEMPTS },
} as const
