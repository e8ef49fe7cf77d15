import { stat } from 'node:fs/promises'
import type { SourcePicture } from '../domain/source-facts.ts'
import { inputArguments, runFfmpeg } from './ffmpeg.ts'
import { MediaError } from './media-error.ts'
import { toneMap } from './picture-filter.ts'
import type { MediaWork } from './run-tool.ts'

export interface PosterOptions extends MediaWork {
  sourcePath: string
  video: SourcePicture
  durationMs: number
  /** A JPEG. */
  outputPath: string
}

const LONGEST_SIDE = 1280
const WINDOW_SECONDS = 60
/** Mean luma, 16 to 235; a fade or a title card on black is below this. */
const DARK_LUMA = 40

/** The displayed size in square pixels, at most 1280 on the longer side. */
function posterScale({ displayWidth, displayHeight }: SourcePicture): string {
  const factor = Math.min(1, LONGEST_SIDE / Math.max(displayWidth, displayHeight))
  const side = (pixels: number): number => Math.max(1, Math.round(pixels * factor))
  return `scale=${side(displayWidth)}:${side(displayHeight)}`
}

/**
 * Makes the poster from the most typical keyframe of one minute that starts at a tenth of the video. Skips
 * dark keyframes; if all are dark, uses the first keyframe.
 */
export async function makePoster(options: PosterOptions): Promise<void> {
  const { sourcePath, video, durationMs, outputPath, signal, onProgress, stallMs } = options
  // Reports no fraction, because each attempt starts again at zero.
  const work = { signal, stallMs, onProgress: () => onProgress?.() }
  const scale = `${posterScale(video)},setsar=1`
  const bright = `signalstats,metadata=select:key=lavfi.signalstats.YAVG:value=${DARK_LUMA}:function=greater`
  const from = String(durationMs / 10_000)
  // On the input, so that ffmpeg does not read a dark video to its end.
  const window = ['-t', String(WINDOW_SECONDS)]
  const tries = [
    { part: ['-ss', from, ...window], filter: `${bright},thumbnail=15,${scale}` },
    { part: window, filter: `${bright},${scale}` },
    { part: [], filter: scale },
  ]
  for (const { part, filter } of tries) {
    const input = ['-skip_frame', 'nokey', ...part, ...inputArguments(sourcePath)]
    const output = ['-vf', [filter, ...toneMap(video), 'format=yuvj420p'].join(',')]
    const picture = ['-map', `0:${video.index}`, '-frames:v', '1', '-q:v', '4']
    await runFfmpeg([...input, ...output, ...picture, '-f', 'mjpeg', outputPath], work)
    const { size } = await stat(outputPath).catch(() => ({ size: 0 }))
    if (size > 0) return
  }
  throw new MediaError('nothing_decodable', 'No frame of the video can be decoded.')
}
