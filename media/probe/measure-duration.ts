import type { SourceFacts } from '../../domain/ingest/source-facts.ts'
import { inputArguments, runFfmpeg } from '../ffmpeg.ts'
import { withoutFraction, type MediaWork } from '../run-tool.ts'

/** Demuxers that estimate the duration from the times at both ends, or state none. */
const ESTIMATING = ['mpegts', 'mpeg', 'mpegvideo', 'h264', 'hevc']

/** A longer video is rarer than a wrong length, to which its audio would be filled with silence. */
const PLAUSIBLE_MS = 24 * 3_600_000

/** True if the container states no length that can be relied on, as after a jump in time. */
export const isEstimated = ({ container, durationMs }: SourceFacts): boolean =>
  durationMs === null ||
  durationMs > PLAUSIBLE_MS ||
  container.split(',').some((name) => ESTIMATING.includes(name))

/**
 * Returns the length of the picture and the audio in milliseconds, with jumps in time closed as an encode closes them;
 * null if nothing can be read. Reads the whole file without decoding it.
 */
export async function measureDuration(
  path: string,
  { video, audio }: SourceFacts,
  work: MediaWork,
): Promise<number | null> {
  const tracks = [video, ...audio].flatMap(({ index }) => ['-map', `0:${index}`])
  const { outMs } = await runFfmpeg(
    [...inputArguments(path), ...tracks, '-c', 'copy', '-f', 'null', '-'],
    withoutFraction(work),
  )
  return outMs > 0 ? Math.round(outMs) : null
}
