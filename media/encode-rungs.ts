import type { Rung } from '../domain/ladder.ts'
import { framesPerSecond } from '../domain/rendition.ts'
import type { SourceFacts, SourcePicture } from '../domain/source-facts.ts'
import { inputArguments, runFfmpeg } from './ffmpeg.ts'
import { MediaError } from './media-error.ts'
import { ladderGraph } from './picture-filter.ts'
import type { MediaWork } from './run-tool.ts'

export interface EncodeRungsOptions extends MediaWork {
  sourcePath: string
  facts: SourceFacts
  /** Encoded together from one decode of the source. */
  outputs: readonly { rung: Rung; outputPath: string }[]
  /** Yields the processor to other tools. */
  isBackground?: boolean
}

/** Closed groups of two seconds, so that players can switch rungs at every segment. */
const GOP_SECONDS = 2
const PRESET = 'veryfast'
/** Set on tone-mapped output; other output keeps the colour tags of its source. */
const BT709 = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709']

/**
 * Encodes rungs to unencrypted MP4 files for the packager: H.264, capped constant quality, closed groups
 * of 2 s with keyframes at the same frames in every rung. Returns the number of frames of each.
 * Throws a MediaError if the source cannot be decoded or the work was aborted.
 */
export async function encodeRungs(options: EncodeRungsOptions): Promise<number> {
  const { facts, signal, stallMs, isBackground = false, onProgress } = options
  const { durationMs } = facts
  const work = { signal, onProgress, stallMs, durationMs, isBackground }
  const { exitCode, stderr, frames } = await runFfmpeg(encodeArguments(options), work)
  if (exitCode !== 0) throw encodingFailed(stderr, frames)
  if (frames === 0)
    throw new MediaError('nothing_decodable', 'The video track has no picture that can be decoded.')
  assertWhole(facts.video, frames)
  onProgress?.(1)
  return frames
}

/** Smaller differences come from rounding, a variable rate, or an edit list. */
const WHOLE_FRACTION = 0.9
const WHOLE_TOLERANCE_MS = 1_000

/** Throws if the picture ends early: a truncated file with its index at the front still opens and decodes. */
function assertWhole({ durationMs, frameRate }: SourcePicture, frames: number): void {
  const encodedMs = (frames * 1000) / framesPerSecond(frameRate)
  if (durationMs === null || encodedMs >= durationMs * WHOLE_FRACTION - WHOLE_TOLERANCE_MS) return
  const [actual, stated] = [encodedMs, durationMs].map((ms) => Math.round(ms / 1000))
  throw new MediaError(
    'unreadable_file',
    `The file is incomplete: its picture ends after ${actual} of ${stated} seconds.`,
  )
}

function encodeArguments({ sourcePath, facts, outputs }: EncodeRungsOptions): string[] {
  const { video } = facts
  const rungs = outputs.map(({ rung }) => rung)
  return [
    inputArguments(sourcePath),
    ['-filter_complex', ladderGraph(video, rungs)],
    ...outputs.flatMap(({ rung, outputPath }, index) => [
      ['-map', `[r${index}]`],
      videoArguments(rung, video),
      ['-map_metadata', '-1', '-map_chapters', '-1', '-f', 'mp4', outputPath],
    ]),
  ].flat()
}

function videoArguments(rung: Rung, video: SourcePicture): string[] {
  const gop = String(gopFrames(video.frameRate))
  return [
    ['-c:v', 'libx264', '-preset', PRESET, '-profile:v', 'high', '-crf', String(rung.crf)],
    ['-maxrate', String(rung.maxrateBps), '-bufsize', String(rung.bufsizeBits)],
    ['-g', gop, '-keyint_min', gop, '-sc_threshold', '0', '-flags', '+cgop'],
    video.hdr ? BT709 : [],
  ].flat()
}

/** Frames between keyframes. */
const gopFrames = (frameRate: string): number =>
  Math.max(1, Math.round(GOP_SECONDS * framesPerSecond(frameRate)))

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
