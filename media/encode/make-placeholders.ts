import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { runFfmpeg } from '../ffmpeg.ts'
import { withoutFraction, type MediaWork } from '../run-tool.ts'

/** Of the longer side of a placeholder, in pixels: so few that a browser, which enlarges it, shows it blurred. */
const LONGEST_SIDE = 16
const SCALE = `scale=w=${LONGEST_SIDE}:h=${LONGEST_SIDE}:force_original_aspect_ratio=decrease:flags=area`
/** The quality of a WebP, from 0 to 100: about 100 bytes, which a page can contain. */
const QUALITY = '40'

/**
 * Makes tiny pictures that are shown while a poster loads. `paths` are JPEGs of our own. Returns each as a WebP in
 * Base64, in the same order; null for one that could not be made, because nothing depends on it. Writes beside the
 * JPEGs. Throws what `runTool` throws.
 */
export async function makePlaceholders(
  paths: string[],
  work: MediaWork,
): Promise<(string | null)[]> {
  const inputs = paths.flatMap((path) => ['-f', 'jpeg_pipe', '-i', `file:${resolve(path)}`])
  const outputs = paths.flatMap((path, index) =>
    [
      ['-map', `${index}:v:0`, '-map_metadata', '-1', '-vf', SCALE, '-frames:v', '1'],
      ['-c:v', 'libwebp', '-quality', QUALITY, '-f', 'webp', outputOf(path)],
    ].flat(),
  )
  const whole = ['-protocol_whitelist', 'file', ...inputs, ...outputs]
  await runFfmpeg(whole, withoutFraction(work))
  return Promise.all(paths.map((path) => readPicture(outputOf(path))))
}

/** Returns null for a file that is missing or, because its input was not read, empty. */
const readPicture = (path: string): Promise<string | null> =>
  readFile(path, 'base64').then(
    (content) => content || null,
    () => null,
  )

const outputOf = (path: string): string => `${path}.webp`
