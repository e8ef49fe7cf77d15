import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { execa } from 'execa'

/** A minute of 1080p with motion, detail, a slow zoom and grain, as expensive to encode as a real video. */
const SOURCE_SECONDS = 60

/** Makes the source once; later runs reuse it. */
export async function ensureSource(path: string): Promise<void> {
  if (existsSync(path)) return
  const size = '1920x1080'
  const picture = [
    `mandelbrot=s=960x540:r=30:start_scale=2.5:end_scale=0.05:end_pts=${SOURCE_SECONDS * 30}:maxiter=200[m]`,
    `[m]scale=${size},format=yuv420p[near]`,
    `testsrc2=s=${size}:r=30:d=${SOURCE_SECONDS},format=yuv420p[far]`,
    `[near][far]blend=all_expr='A*0.75+B*0.25',noise=alls=2:allf=t,trim=duration=${SOURCE_SECONDS}[v]`,
  ].join(';')
  const tune = `aevalsrc='0.2*sin(2*PI*220*t*(1+floor(mod(t,4))/4))|0.2*sin(2*PI*330*t)':d=${SOURCE_SECONDS}:s=48000[a]`
  const unfinished = `${path}.part.mp4`
  await execa(
    'ffmpeg',
    [
      ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'],
      ['-filter_complex', `${picture};${tune}`, '-map', '[v]', '-map', '[a]'],
      ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-c:a', 'aac', '-b:a', '192k'],
      ['-t', String(SOURCE_SECONDS), unfinished],
    ].flat(),
  )
  await rename(unfinished, path)
}
