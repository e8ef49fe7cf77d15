import { gopFrames, type Chunk } from '../../domain/encoding/chunks.ts'
import { MediaError } from '../media-error.ts'
import { readFragments } from '../package/fragments.ts'

/**
 * Checks that an encoded chunk has exactly its frames: from the first one on without a gap, up to its end, with
 * keyframes at the first frame of each group and nowhere else. Returns their number, which only the last chunk has to
 * find out. Throws a MediaError `chunk_not_exact`: a source with a wrong index loses frames after a seek.
 */
export async function checkFrames(path: string, frameRate: string, chunk: Chunk): Promise<number> {
  const { timescale, fragments } = await readFragments(path)
  const [numerator = 0, denominator = 1] = frameRate.split('/').map(Number)
  const frameTicks = ((timescale ?? 0) * denominator) / numerator
  const gop = gopFrames(frameRate)
  const samples = fragments
    .flatMap((fragment) => fragment.samples)
    .toSorted((a, b) => a.shownTicks - b.shownTicks)
  const isExact = samples.every(
    ({ shownTicks, isKeyframe }, index) =>
      shownTicks === (chunk.startFrame + index) * frameTicks && isKeyframe === (index % gop === 0),
  )
  const wanted = chunk.endFrame === null ? null : chunk.endFrame - chunk.startFrame
  const isComplete = wanted === null ? samples.length > 0 : samples.length === wanted
  if (isExact && isComplete) return samples.length
  throw new MediaError('chunk_not_exact', 'A part of the video cannot be read by itself.')
}
