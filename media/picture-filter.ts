import type { Chunk } from '../domain/chunks.ts'
import type { Rung } from '../domain/ladder.ts'
import type { SourcePicture } from '../domain/source-facts.ts'

/** PQ and HLG to SDR BT.709: linear light, the BT.709 gamut, Hable's curve. */
const TONE_MAP =
  'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,' +
  'zscale=t=bt709:m=bt709:r=tv'

/** Returns the filter that converts HDR to SDR; an empty list for SDR. */
export const toneMap = ({ hdr }: SourcePicture): string[] => (hdr ? [TONE_MAP] : [])

/**
 * The shared filter of all rungs of a source: progressive frames at one constant exact rate, in SDR.
 * ffmpeg applies the rotation before the first filter.
 */
function commonFilter(video: SourcePicture, chunk: Chunk | null): string {
  return [
    ...(video.interlaced ? ['bwdif=mode=send_frame'] : []),
    ...(chunk ? chunkFilters(video, chunk) : [`fps=${video.frameRate}`]),
    ...toneMap(video),
  ].join(',')
}

/**
 * Behind `fps` the time base is one frame, so that `trim` counts frames. The first chunk repeats the first frame of a
 * picture that starts late, as ffmpeg does by itself for a whole film.
 */
function chunkFilters({ frameRate }: SourcePicture, { startFrame, endFrame }: Chunk): string[] {
  const start = startFrame === 0 ? ':start_time=0' : ''
  const end = endFrame === null ? '' : `:end_pts=${endFrame}`
  return [`fps=fps=${frameRate}${start}`, `trim=start_pts=${startFrame}${end}`]
}

/** The filter of one rung: its even size, square pixels, 8 bit 4:2:0. */
const rungFilter = (rung: Rung): string =>
  `scale=${rung.width}:${rung.height}:flags=bicubic,setsar=1,format=yuv420p`

/**
 * Returns one graph for several rungs, which decodes and prepares the source once; for one chunk of it, or for all of
 * it. Labels are `r0`, `r1`, …
 */
export function ladderGraph(
  video: SourcePicture,
  rungs: readonly Rung[],
  chunk: Chunk | null,
): string {
  const heads = rungs.map((_, index) => `[s${index}]`).join('')
  const common = commonFilter(video, chunk)
  const split = `[0:${video.index}]${common},split=${rungs.length}${heads}`
  return [split, ...rungs.map((rung, index) => `[s${index}]${rungFilter(rung)}[r${index}]`)].join(
    ';',
  )
}
