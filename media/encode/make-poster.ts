import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourcePicture } from '../../domain/ingest/source-facts.ts'
import { inputArguments, runFfmpeg, type FfmpegOptions } from '../ffmpeg.ts'
import { MediaError } from '../media-error.ts'
import { withoutFraction, type MediaWork } from '../run-tool.ts'
import { jpegScale } from './picture-filter.ts'

export interface PosterOptions extends MediaWork {
  sourcePath: string
  video: SourcePicture
  durationMs: number
  /** A JPEG. */
  outputPath: string
}

/** Of the longer side of a poster, in pixels. */
export const POSTER_LONGEST_SIDE = 1280
/** The scale of ffmpeg's JPEG encoder, from 2 (best) to 31. */
export const POSTER_QUALITY = '4'
const WINDOW_SECONDS = 60
const KEYFRAMES = ['-skip_frame', 'nokey']
/** Mean luma, 0 to 255; a fade or a title card on black is below this. */
const DARK_LUMA = 28

/** The filter of a poster: the displayed size in square pixels, at most 1280 on the longer side, in SDR. */
function posterScale(video: SourcePicture): string {
  const { displayWidth, displayHeight } = video
  const factor = Math.min(1, POSTER_LONGEST_SIDE / Math.max(displayWidth, displayHeight))
  const side = (pixels: number): number => Math.max(1, Math.round(pixels * factor))
  return jpegScale(video, `${side(displayWidth)}:${side(displayHeight)}`)
}

/**
 * Makes the poster from the most typical keyframe of one minute that starts at a tenth of the video. Skips
 * dark keyframes; if all are dark, uses the first keyframe. A video that was cut without encoding may begin behind its
 * only keyframe; its poster is its first frame.
 */
export async function makePoster(options: PosterOptions): Promise<void> {
  const { sourcePath, video, durationMs, outputPath } = options
  const work = withoutFraction(options)
  const scale = posterScale(video)
  const bright = `signalstats,metadata=select:key=lavfi.signalstats.YAVG:value=${DARK_LUMA}:function=greater`
  const from = String(durationMs / 10_000)
  // On the input, so that ffmpeg does not read a dark video to its end.
  const window = ['-t', String(WINDOW_SECONDS)]
  const tries = [
    {
      part: [...KEYFRAMES, '-ss', from, ...window],
      filter: `${scale},${bright},thumbnail=15,format=yuvj420p`,
    },
    { part: [...KEYFRAMES, ...window], filter: `${scale},${bright}` },
    { part: KEYFRAMES, filter: scale },
    { part: [], filter: scale },
  ]
  for (const { part, filter } of tries) {
    const input = [...part, ...inputArguments(sourcePath)]
    if (await writePicture(input, { video, filter, outputPath }, work)) return
  }
  throw new MediaError('nothing_decodable', 'No frame of the video can be decoded.')
}

/** How many frames are kept to choose the poster from. */
const FRAMES = 6

export interface FramesOptions extends MediaWork {
  sourcePath: string
  video: SourcePicture
  durationMs: number
  outputDir: string
}

/**
 * Makes six evenly spaced frames, as large as the poster, so that a member can choose one: the keyframes before these
 * times, or the exact frames if some have the same keyframe. Returns the paths of those that can be decoded: a damaged
 * part of a file costs its frame, not the video. Throws a MediaError `aborted` and a MachineError.
 */
export async function makeFrames(options: FramesOptions): Promise<string[]> {
  const nearest = await writeFrames(options, NEAREST_KEYFRAME)
  return (await areDifferent(nearest)) ? nearest : writeFrames(options, [])
}

/** Decodes one frame instead of all from the keyframe on. */
const NEAREST_KEYFRAME = [...KEYFRAMES, '-noaccurate_seek']

async function writeFrames(options: FramesOptions, part: string[]): Promise<string[]> {
  const { sourcePath, video, durationMs, outputDir } = options
  const filter = posterScale(video)
  const paths = Array.from({ length: FRAMES }, (_, index) => join(outputDir, `frame-${index}.jpg`))
  const inputs = paths.flatMap((_, index) => {
    const from = ((index + 0.5) * durationMs) / FRAMES / 1000
    return [...FEW_THREADS, ...part, '-ss', String(from), ...inputArguments(sourcePath)]
  })
  const outputs = paths.flatMap((outputPath, input) =>
    pictureArguments({ video, filter, outputPath, input }),
  )
  await runFfmpeg([...inputs, ...outputs], withoutFraction(options)).catch(unlessDamaged)
  const sizes = await Promise.all(paths.map(fileSize))
  return paths.filter((_, index) => (sizes[index] ?? 0) > 0)
}

async function areDifferent(paths: string[]): Promise<boolean> {
  const pictures = await Promise.all(paths.map((path) => readFile(path, 'base64')))
  return paths.length === FRAMES && new Set(pictures).size === FRAMES
}

/** Six decoders with a thread and its frames for each core would need much memory. */
const FEW_THREADS = ['-threads', '2']

function unlessDamaged(error: unknown): void {
  if (!(error instanceof MediaError) || error.code === 'aborted') throw error
}

interface Picture {
  video: SourcePicture
  filter: string
  outputPath: string
  /** Which of the inputs it comes from. */
  input?: number
}

/** Takes the first frame that passes the filters, as a JPEG. */
const pictureArguments = ({ video, filter, outputPath, input = 0 }: Picture): string[] =>
  [
    ['-map', `${input}:${video.index}`, '-vf', filter, '-frames:v', '1'],
    ['-q:v', POSTER_QUALITY, '-f', 'mjpeg', outputPath],
  ].flat()

const fileSize = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/** Writes a picture. Returns whether there is a frame for it. */
async function writePicture(
  input: string[],
  picture: Picture,
  work: FfmpegOptions,
): Promise<boolean> {
  await runFfmpeg([...input, ...pictureArguments(picture)], work)
  return (await fileSize(picture.outputPath)) > 0
}
