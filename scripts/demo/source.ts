import { existsSync } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import type { Screen } from './screen.ts'

const SAMPLE_SECONDS = 24

/** Returns the path of the chosen file, or of a sample in the data folder. Throws if the file does not exist. */
export async function findSource(
  file: string | undefined,
  dataDir: string,
  screen: Screen,
): Promise<string> {
  if (file !== undefined) {
    const facts = await stat(file).catch(() => null)
    if (!facts?.isFile()) throw new Error(`There is no file ${file}`)
    return resolve(file)
  }
  const sample = join(dataDir, 'sample.mp4')
  if (!existsSync(sample)) {
    screen.print('Making a sample video …')
    await makeSample(sample)
  }
  return sample
}

/**
 * Makes 24 s of 1080p with motion, a clock and a tune. testsrc2 draws its clock without a font, so
 * the machine needs none.
 */
async function makeSample(path: string): Promise<void> {
  const picture = `testsrc2=s=1920x1080:r=30:d=${SAMPLE_SECONDS}`
  const note = '220*pow(2,floor(mod(2*t,8))/6)'
  const tune = `aevalsrc='0.25*sin(2*PI*${note}*t)*exp(-3*mod(t,0.5))|0.2*sin(PI*${note}*t)*exp(-3*mod(t,0.5))':d=${SAMPLE_SECONDS}:s=48000`
  const unfinished = `${path}.part.mp4`
  await execa(
    'ffmpeg',
    [
      ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'],
      ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', tune],
      ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '22', '-pix_fmt', 'yuv420p'],
      ['-c:a', 'aac', '-b:a', '160k', unfinished],
    ].flat(),
  )
  await rename(unfinished, path)
}
