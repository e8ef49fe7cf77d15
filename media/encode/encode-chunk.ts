import { gopFrames, type Chunk, type EncodedChunk } from '../../domain/encoding/chunks.ts'
import type { Rung } from '../../domain/encoding/ladder.ts'
import { FORMER_PRESET } from '../../domain/ingest/encode-mode.ts'
import type { SourceFacts, SourcePicture } from '../../domain/ingest/source-facts.ts'
import { framesPerSecond } from '../../domain/videos/rendition.ts'
import { streamStats } from '../ffmpeg-log.ts'
import { inputArguments, runFfmpeg, type FfmpegResult } from '../ffmpeg.ts'
import { MediaError } from '../media-error.ts'
import type { MediaWork } from '../run-tool.ts'
import { checkFrames } from './check-frames.ts'
import { COPY_INPUT } from './copy-picture.ts'
import { ladderGraph } from './picture-filter.ts'

export interface EncodeChunkOptions extends MediaWork, ChunkSource {
  chunk: Chunk
  /** True if the video is encoded whole. */
  isOnly: boolean
  /** Encoded together from one decode of the source. */
  outputs: readonly { rung: Rung; outputPath: string }[]
}

/** Where a chunk is read from. */
export interface ChunkSource {
  sourcePath: string
  facts: SourceFacts
  /** True if `sourcePath` is the copy of the picture that `copyPicture` made. */
  isCopy?: boolean
}

/** Set on tone-mapped output; other output keeps the colour tags of its source. */
const BT709 = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709']

/**
 * Encodes one chunk of a video in several rungs to unencrypted MP4 files for the packager: H.264, capped constant
 * quality, closed groups of 2 s with keyframes at the same frames in every rung. A chunk has exactly the frames that
 * an encode of the whole video has there, at the same times.
 * Throws a MediaError: `chunk_not_exact` if the source does not give these frames, so that the video must be encoded
 * whole; others if the source cannot be decoded or the work was aborted.
 */
export async function encodeChunk(options: EncodeChunkOptions): Promise<EncodedChunk> {
  const { facts, chunk, isOnly, signal, stallMs, onProgress, niceness } = options
  const work = { signal, onProgress, stallMs, niceness, durationMs: lengthMs(facts, chunk) }
  const isSeeking = chunk.startFrame > 0
  const result = await runFfmpeg(encodeArguments(options), { ...work, isSeeking })
  const frames = isOnly ? framesOfVideo(result) : await framesOfChunk(options, result)
  onProgress?.(1)
  return { frames, ...decodedOf(options, result) }
}

/** What was decoded of the source for its output. */
function decodedOf(source: ChunkSource, result: FfmpegResult) {
  const { container } = source.facts
  const stats = streamStats(result, pictureOf(source).index)
  const { isInterrupted, undecodable, partial } = stats
  const isStream = container.startsWith('mpeg')
  return {
    framesDecoded: result.framesCounted ?? stats.framesDecoded,
    framesUndecodable: undecodable,
    // How many frames such a fault concerns is not known.
    framesPartial: Math.max(partial, result.concealed, result.hasFaults ? 1 : 0),
    hasSkipped: result.hasSkipped || (isStream && isInterrupted),
    isCut: result.isCut || (!isStream && isInterrupted),
  }
}

function framesOfVideo({ exitCode, stderr, frames }: FfmpegResult): number {
  if (exitCode !== 0) throw encodingFailed(stderr, frames)
  if (frames === 0)
    throw new MediaError('nothing_decodable', 'The video track has no picture that can be decoded.')
  return frames
}

/** Checks the file of every rung. ffmpeg also fails at a damaged chunk of a video that it can encode whole. */
async function framesOfChunk(
  { facts, chunk, outputs }: EncodeChunkOptions,
  { exitCode }: FfmpegResult,
): Promise<number> {
  if (exitCode !== 0)
    throw new MediaError('chunk_not_exact', 'A part of the video could not be encoded by itself.')
  const files = outputs.map(({ outputPath }) =>
    checkFrames(outputPath, facts.video.frameRate, chunk),
  )
  const [frames = 0] = await Promise.all(files)
  return frames
}

/** The stated length of the chunk; null if it is not known. */
function lengthMs({ durationMs, video }: SourceFacts, { startFrame, endFrame }: Chunk) {
  const timeMs = (frame: number): number => (frame * 1000) / framesPerSecond(video.frameRate)
  const endMs = endFrame === null ? durationMs : timeMs(endFrame)
  return endMs === null ? null : endMs - timeMs(startFrame)
}

function encodeArguments(options: EncodeChunkOptions): string[] {
  const { facts, chunk, isOnly, outputs } = options
  return [
    pictureArguments(options),
    ...outputs.flatMap(({ rung, outputPath }, index) => [
      ['-map', `[r${index}]`],
      videoArguments(rung, facts.video),
      isOnly ? [] : chunkArguments(chunk),
      ['-map_metadata', '-1', '-map_chapters', '-1', '-f', 'mp4', outputPath],
    ]),
  ].flat()
}

/** Returns ffmpeg's arguments for the frames of the chunk in the size of each rung, with the labels `r0`, `r1`, … */
export function pictureArguments(
  options: ChunkSource & Pick<EncodeChunkOptions, 'chunk' | 'isOnly' | 'outputs'>,
): string[] {
  const { sourcePath, chunk, isOnly, outputs } = options
  const video = pictureOf(options)
  const rungs = outputs.map(({ rung }) => rung)
  return [
    // `domain/encoding/damage.ts` decides how much damage is too much.
    '-max_error_rate',
    '1',
    ...(isOnly ? inputArguments(sourcePath) : chunkInput(options, chunk)),
    '-filter_complex',
    ladderGraph(video, rungs, isOnly ? null : chunk),
  ]
}

/** A keyframe just before the chunk may be decoded before it and shown after its start. */
const SEEK_MARGIN_SECONDS = 0.5

/** A copy has the times that the video has from its start, in which its picture may begin late. */
const COPY_TIMES = ['-seek_timestamp', '1', '-copyts', ...COPY_INPUT]

/**
 * Returns the input arguments of ffmpeg for a chunk. They keep the times of the source, so that the grid is that of the
 * whole video. Without an accurate seek, because that one discards a frame that begins before the chunk and is still shown in it.
 */
export function chunkInput(
  { sourcePath, facts, isCopy = false }: ChunkSource,
  { startFrame }: Chunk,
): string[] {
  const seconds = startFrame / framesPerSecond(facts.video.frameRate) - SEEK_MARGIN_SECONDS
  const seek = seconds > 0 ? ['-noaccurate_seek', '-ss', seconds.toFixed(6)] : []
  const times = isCopy ? COPY_TIMES : ['-copyts', '-start_at_zero']
  return [...seek, ...times, ...inputArguments(sourcePath)]
}

/** Returns the picture as it is stored where it is read from: a copy has no other stream. */
export const pictureOf = ({ facts, isCopy = false }: ChunkSource): SourcePicture =>
  isCopy ? { ...facts.video, index: 0 } : facts.video

function videoArguments(rung: Rung, video: SourcePicture): string[] {
  const { preset = FORMER_PRESET, crf } = rung
  const gop = String(gopFrames(video.frameRate))
  return [
    ['-c:v', 'libx264', '-preset', preset, '-profile:v', 'high', '-crf', String(crf)],
    ['-maxrate', String(rung.maxrateBps), '-bufsize', String(rung.bufsizeBits)],
    ['-g', gop, '-keyint_min', gop, '-sc_threshold', '0', '-flags', '+cgop'],
    video.hdr ? BT709 : [],
  ].flat()
}

/** Without both `frag_discont` and `negative_cts_offsets`, ffmpeg moves the chunk to time 0. */
const FRAGMENTS = 'frag_keyframe+empty_moov+default_base_moof+frag_discont+negative_cts_offsets'

/**
 * Fragments keep the offset of a chunk exactly; the edit list of a plain MP4 counts milliseconds. A full rate buffer
 * at the start of every chunk would raise the peaks at the seams above those of a whole encode.
 */
const chunkArguments = ({ index }: Chunk): string[] => [
  ...(index === 0 ? [] : ['-x264-params', 'vbv-init=0.5']),
  '-movflags',
  FRAGMENTS,
]

function encodingFailed(stderr: string, frames: number): MediaError {
  const nothingRead = /Invalid data|could not find codec|Decoder .* not found|no decoder/i.test(
    stderr,
  )
  if (frames === 0 && nothingRead)
    return new MediaError('nothing_decodable', 'The video track cannot be decoded.')
  return new MediaError(
    'encoding_failed',
    'The video could not be encoded; the file may be damaged.',
  )
}
