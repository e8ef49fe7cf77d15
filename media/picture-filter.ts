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
function commonFilter(video: SourcePicture): string {
  return [
    ...(video.interlaced ? ['bwdif=mode=send_frame'] : []),
    `fps=${video.frameRate}`,
    ...toneMap(video),
  ].join(',')
}

/** The filter of one rung: its even size, square pixels, 8 bit 4:2:0. */
const rungFilter = (rung: Rung): string =>
  `scale=${rung.width}:${rung.height}:flags=bicubic,setsar=1,format=yuv420p`

/** Returns one graph for several rungs, which decodes and prepares the source once. Labels are `r0`, `r1`, … */
export function ladderGraph(video: SourcePicture, rungs: readonly Rung[]): string {
  const heads = rungs.map((_, index) => `[s${index}]`).join('')
  const split = `[0:${video.index}]${commonFilter(video)},split=${rungs.length}${heads}`
  return [split, ...rungs.map((rung, index) => `[s${index}]${rungFilter(rung)}[r${index}]`)].join(
    ';',
  )
}
