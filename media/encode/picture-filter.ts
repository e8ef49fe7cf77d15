import type { Chunk } from '../../domain/encoding/chunks.ts'
import type { Rung } from '../../domain/encoding/ladder.ts'
import type { PictureColor, SourcePicture } from '../../domain/ingest/source-facts.ts'
import { framesPerSecond } from '../../domain/videos/rendition.ts'
import { countFilter } from '../ffmpeg-log.ts'

/** The transfer functions of HDR by their names in zscale. */
const TRANSFERS = { pq: 'smpte2084', hlg: 'arib-std-b67' } as const

/** HDR to SDR BT.709: linear light, the BT.709 gamut, Hable's curve. Many files tag only the transfer function. */
const toneMapOf = (hdr: 'pq' | 'hlg'): string =>
  [
    `setparams=color_primaries=bt2020:colorspace=bt2020nc:color_trc=${TRANSFERS[hdr]}`,
    'zscale=t=linear:npl=100',
    'format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
  ].join(',')

const WIDE_TO_BT709 =
  'setparams=color_primaries=bt2020:colorspace=bt2020nc:color_trc=bt709,' +
  'zscale=p=bt709:m=bt709:t=bt709:r=tv'

/** Returns the filter that converts HDR, or SDR of a wide gamut, to BT.709; an empty list for other sources. */
export function toneMap({ hdr, color }: SourcePicture): string[] {
  if (hdr) return [toneMapOf(hdr)]
  return color?.sourcePrimaries === 'bt2020' ? [WIDE_TO_BT709] : []
}

/** The tags of the encodes of sources from before colours were read, if they are HDR. */
const BT709: PictureColor = {
  sourceMatrix: 'bt709',
  sourcePrimaries: null,
  matrix: 'bt709',
  primaries: 'bt709',
  transfer: 'bt709',
}

/** How the frames behind `toneMap` state colours; undefined for SDR of older workflows. */
function colorOf(video: SourcePicture): PictureColor | undefined {
  const isConverted = toneMap(video).length > 0
  return isConverted ? BT709 : video.color
}

/** Returns the filter to a JPEG of the given size: SDR in the matrix and the range of JFIF, BT.601 in full range. */
export function jpegScale(video: SourcePicture, size: string): string {
  const color = colorOf(video)
  const toneMapped = toneMap(video)
  const input = color ? `in_color_matrix=${color.sourceMatrix}:` : ''
  return [
    `scale=${size}`,
    // zscale refuses odd sizes of pictures with less colour than brightness.
    ...(toneMapped.length > 0 ? ['format=yuv444p10le', ...toneMapped] : []),
    `scale=${input}out_color_matrix=bt601:out_range=pc,setsar=1,format=yuvj420p`,
  ].join(',')
}

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
 * picture that starts late, as ffmpeg does by itself for a whole video.
 */
function chunkFilters({ frameRate }: SourcePicture, { startFrame, endFrame }: Chunk): string[] {
  const start = startFrame === 0 ? ':start_time=0' : ''
  const end = endFrame === null ? '' : `:end_pts=${endFrame}`
  return [`fps=fps=${frameRate}${start}`, `trim=start_pts=${startFrame}${end}`]
}

/** Counts the frames of the source between the ends of the chunk, and passes all of them on. */
function countFrames({ frameRate }: SourcePicture, { startFrame, endFrame }: Chunk): string {
  const seconds = (frame: number): string => ((frame - 0.5) / framesPerSecond(frameRate)).toFixed(6)
  const ends = [
    ...(startFrame === 0 ? [] : [`start=${seconds(startFrame)}`]),
    ...(endFrame === null ? [] : [`end=${seconds(endFrame)}`]),
  ]
  const window = ends.length === 0 ? [] : [`trim=${ends.join(':')}`]
  return `split[all][part];[part]${[...window, countFilter(frameRate), 'nullsink'].join(',')};[all]`
}

/** The filter of one rung: its even size, square pixels, 8 bit 4:2:0 in limited range, tagged. */
function rungFilter(rung: Rung, video: SourcePicture): string {
  const color = colorOf(video)
  const size = `scale=${rung.width}:${rung.height}:flags=bicubic`
  if (!color) return `${size},setsar=1,format=yuv420p`
  const { sourceMatrix, matrix, primaries, transfer } = color
  const colors = `:in_color_matrix=${sourceMatrix}:out_color_matrix=${matrix}:out_range=tv`
  const tags = `setparams=range=tv:colorspace=${matrix}:color_primaries=${primaries}:color_trc=${transfer}`
  return `${size}${colors},setsar=1,format=yuv420p,${tags}`
}

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
  const source = `[0:${video.index}]`
  const input = chunk ? `${source}${countFrames(video, chunk)}` : source
  return [
    `${input}${commonFilter(video, chunk)},split=${rungs.length}${heads}`,
    ...rungs.map((rung, index) => `[s${index}]${rungFilter(rung, video)}[r${index}]`),
  ].join(';')
}
