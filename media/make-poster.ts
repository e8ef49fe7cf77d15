import { stat } from 'node:fs/promises'
import { QUIET, inputArguments } from './ffmpeg-arguments.ts'
import { MediaError } from './media-error.ts'
import { toneMap } from './picture-filter.ts'
import type { SourcePicture } from './source-picture.ts'
import { runTool } from './run-tool.ts'

export interface PosterOptions {
  sourcePath: string
  video: SourcePicture
  durationMs: number
  /** A JPEG. */
  outputPath: string
  signal: AbortSignal
}

const LONGEST_SIDE = 1280
const WINDOW_SECONDS = 60
/** Mean luma, 16 to 235; a fade or a title card on black lies below. */
const DARK_LUMA = 40

/** As the film is shown, square pixels, at most 1280 on the longer side. */
function posterScale({ displayWidth, displayHeight }: SourcePicture): string {
  const factor = Math.min(1, LONGEST_SIDE / Math.max(displayWidth, displayHeight))
  const side = (pixels: number): number => Math.max(1, Math.round(pixels * factor))
  return `scale=${side(displayWidth)}:${side(displayHeight)}`
}

/**
 * Picks a frame that stands for the film: the most typical of the keyframes in the minute from a
 * tenth of it on, dark ones left out; where all are dark, the first keyframe.
 */
export async function makePoster(options: PosterOptions): Promise<void> {
  const { sourcePath, video, durationMs, outputPath, signal } = options
  const scale = `${posterScale(video)},setsar=1`
  const bright = `signalstats,metadata=select:key=lavfi.signalstats.YAVG:value=${DARK_LUMA}:function=greater`
  const from = String(durationMs / 10_000)
  const tries = [
    { seek: ['-ss', from], filter: `${bright},thumbnail=15,${scale}` },
    { seek: [], filter: `${bright},${scale}` },
    { seek: [], filter: scale },
  ]
  for (const { seek, filter } of tries) {
    const input = ['-skip_frame', 'nokey', ...seek, ...inputArguments(sourcePath)]
    const output = [
      '-t',
      String(WINDOW_SECONDS),
      '-vf',
      [filter, ...toneMap(video), 'format=yuvj420p'].join(','),
    ]
    const picture = [
      '-map',
      `0:${video.index}`,
      '-frames:v',
      '1',
      '-q:v',
      '4',
      '-f',
      'mjpeg',
      outputPath,
    ]
    await runTool('ffmpeg', [...QUIET, ...input, ...output, ...picture], { signal })
    const { size } = await stat(outputPath).catch(() => ({ size: 0 }))
    if (size > 0) return
  }
  throw new MediaError('nothing_decodable', 'No frame of the video can be decoded.')
}
