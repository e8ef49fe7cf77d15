import { rm } from 'node:fs/promises'
import type { SourceFacts } from '../../domain/ingest/source-facts.ts'
import { inputArguments, runFfmpeg } from '../ffmpeg.ts'
import { MediaError, type MediaErrorCode } from '../media-error.ts'
import { hasSamePackets } from '../probe/packet-lists.ts'
import { withoutFraction, type MediaWork } from '../run-tool.ts'

/** Ticks of a second: those of MPEG, of which a millisecond has 90. More would limit a MOV file to fewer than 13 hours. */
const TICKS = 90_000
/** MXF counts frames, whose length is then a whole number of ticks. */
const TICKS_MIN = 1_000

function ticksOf({ container, video }: SourceFacts): string {
  const [numerator = 0] = video.frameRate.split('/').map(Number)
  return String(container === 'mxf' && numerator >= TICKS_MIN ? numerator : TICKS)
}

/** The input arguments of ffmpeg for a copy. The edit list places the picture in time, and must drop no frame before it. */
export const COPY_INPUT: readonly string[] = ['-advanced_editlist', '0']

interface CopyOptions extends MediaWork {
  sourcePath: string
  facts: SourceFacts
  /** A MOV file. */
  outputPath: string
  /** Begins the names of two lists of its packets, which it removes; `outputPath` by default. */
  listPath?: string
}

/** Faults of the file, or of a tool on it. */
const DOUBTS: readonly string[] = ['tool_failed', 'stalled'] satisfies MediaErrorCode[]

/**
 * Copies the packets of a picture, without decoding them, into a file that can be read from any keyframe. Returns whether it
 * is certain that chunks of it show what an encode of the whole source shows: no tool complained, and the copy has
 * the packets of the source at their times, without a jump, and with one set of parameters. Throws as `runTool` does if
 * the machine is at fault or the work was aborted.
 */
export async function copyPicture(options: CopyOptions): Promise<boolean> {
  const { listPath = options.outputPath } = options
  const lists = [`${listPath}.source.txt`, `${listPath}.copy.txt`] as const
  const [sourceList, copyList] = lists
  try {
    const isCopied = (await copy(options, sourceList)) && (await list(options, copyList))
    return isCopied && (await hasSamePackets({ ...options, sourceList, copyList }))
  } catch (error) {
    if (error instanceof MediaError && DOUBTS.includes(error.code)) return false
    throw error
  } finally {
    for (const path of lists) await rm(path, { force: true })
  }
}

/** The first packets may be those of a group whose keyframe is missing. */
const COPY = ['-c', 'copy', '-copyinkf']

/** Shows the parameter sets beside the packets that have them. In FLV they are never within packets. */
const SHOW_PARAMETERS = ['-bsf:v', 'extract_extradata']

const packetList = (path: string): string[] =>
  ['-f', 'framehash', '-hash', 'adler32', '-format_version', '2', path].flat()

function copy(options: CopyOptions, listPath: string): Promise<boolean> {
  const { sourcePath, facts, outputPath } = options
  const { container, video } = facts
  const picture = ['-map', `0:${video.index}`, ...COPY]
  const ticks = ticksOf(facts)
  const times = ['-video_track_timescale', ticks, '-movie_timescale', ticks]
  const file = ['-map_metadata', '-1', '-map_chapters', '-1', ...times, '-f', 'mov', outputPath]
  const shown = container === 'flv' ? [] : SHOW_PARAMETERS
  return succeeds(
    options,
    [
      ['-copyts', '-start_at_zero', ...inputArguments(sourcePath)],
      [...picture, ...file],
      [...picture, ...shown, ...packetList(listPath)],
    ].flat(),
  )
}

function list(options: CopyOptions, listPath: string): Promise<boolean> {
  const input = ['-copyts', ...COPY_INPUT, ...inputArguments(options.outputPath)]
  return succeeds(options, [...input, '-map', '0:0', ...COPY, ...packetList(listPath)])
}

async function succeeds(work: MediaWork, args: string[]): Promise<boolean> {
  const { exitCode, hasWarned } = await runFfmpeg(args, withoutFraction(work))
  return exitCode === 0 && !hasWarned
}
