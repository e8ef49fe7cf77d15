import type { Rung } from '../domain/ladder.ts'
import type { SourcePicture } from '../domain/source-facts.ts'

/** PQ and HLG to SDR BT.709: linear light, the BT.709 gamut, Hable's curve (notes of the field). */
const TONE_MAP =
  'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,' +
  'zscale=t=bt709:m=bt709:r=tv'

/** The filter that brings an HDR picture to SDR, as a list of none or one. */
export const toneMap = ({ hdr }: SourcePicture): string[] => (hdr ? [TONE_MAP] : [])

/**
 * What all rungs of one source share: progressive frames at one constant exact rate, in SDR.
 * Rotation is applied by ffmpeg itself before the first filter.
 */
function commonFilter(video: SourcePicture): string {
  return [
    ...(video.interlaced ? ['bwdif=mode=send_frame'] : []),
    `fps=${video.frameRate}`,
    ...toneMap(video),
  ].join(',')
}

/** What one rung adds: its even size, square pixels, 8 bit 4:2:0. */
const rungFilter = (rung: Rung): string =>
  `scale=${rung.width}:${rung.height}:flags=bicubic,setsar=1,format=yuv420p`

/** One graph for several rungs: the source is decoded and prepared once. Labels are `r0`, `r1`, … */
export function ladderGraph(video: SourcePicture, rungs: readonly Rung[]): string {
  const heads = rungs.map((_, at) => `[s${at}]`).join('')
  const split = `[0:${video.index}]${commonFilter(video)},split=${rungs.length}${heads}`
  return [split, ...rungs.map((rung, at) => `[s${at}]${rungFilter(rung)}[r${at}]`)].join(';')
}
