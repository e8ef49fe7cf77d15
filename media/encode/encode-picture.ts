import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { PICTURE_MAX_PIXELS } from '../../domain/limits.ts'
import type { PictureFormat } from '../../domain/videos/picture.ts'
import { runFfmpeg } from '../ffmpeg.ts'
import { MediaError } from '../media-error.ts'
import { withoutFraction, type MediaWork } from '../run-tool.ts'
import { POSTER_LONGEST_SIDE, POSTER_QUALITY } from './make-poster.ts'

export interface PictureOptions extends MediaWork {
  inputPath: string
  format: PictureFormat
  /** A JPEG. */
  outputPath: string
}

/**
 * Decodes an untrusted picture and encodes it again as a poster, so that nothing but its pixels is kept. Turns it as
 * its EXIF data says; transparent parts become black. Throws a MediaError `unreadable_file` if a part of it cannot be
 * decoded, and what `runTool` throws.
 */
export async function encodePicture(options: PictureOptions): Promise<void> {
  const { inputPath, format, outputPath } = options
  const picture = ['-map', '0:v:0', '-map_metadata', '-1', '-vf', FILTERS.join(',')]
  const output = ['-frames:v', '1', '-q:v', POSTER_QUALITY, '-f', 'mjpeg', outputPath]
  const args = [...inputOf(inputPath, format), ...picture, ...output]
  const { exitCode } = await runFfmpeg(args, withoutFraction(options))
  const { size } = await stat(outputPath).catch(() => ({ size: 0 }))
  if (exitCode !== 0 || size === 0)
    throw new MediaError('unreadable_file', 'The picture is damaged or incomplete.')
}

const DECODERS = { jpeg: 'mjpeg', png: 'png', webp: 'webp' } as const satisfies Record<
  PictureFormat,
  string
>

/**
 * One demuxer and one decoder, on one local file. The decoder refuses a picture with too many pixels before it
 * allocates them, whatever the header claimed, and a picture that is cut off. One thread, because each more could hold
 * a picture too.
 */
const inputOf = (path: string, format: PictureFormat): string[] =>
  [
    ['-threads', '1', '-err_detect', 'explode', '-max_pixels', String(PICTURE_MAX_PIXELS)],
    ['-protocol_whitelist', 'file', '-format_whitelist', `${format}_pipe`],
    ['-codec_whitelist', DECODERS[format], '-f', `${format}_pipe`],
    ['-i', `file:${resolve(path)}`],
  ].flat()

const LARGEST = `'min(${POSTER_LONGEST_SIDE},max(iw,ih))'`

const FILTERS = [
  // Fits the longer side and never enlarges.
  `scale=w=${LARGEST}:h=${LARGEST}:force_original_aspect_ratio=decrease`,
  'setsar=1',
  // The colour of a transparent pixel is arbitrary: multiplied by its alpha, it is black.
  'format=gbrap',
  'premultiply=inplace=1',
  'format=yuvj420p',
]
