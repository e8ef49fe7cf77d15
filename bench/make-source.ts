import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { execa } from 'execa'

export interface SourceOptions {
  /** Width and height; both divisible by four. */
  size: readonly [number, number]
  fps: number
  seconds: number
  /** How often the picture is shown, by a copy of its packets; once by default. */
  loops?: number
}

/**
 * Makes a source once; later runs reuse it: a video with motion, detail, a slow zoom, grain and audio, as expensive to
 * encode as a real video.
 */
export async function ensureSource(path: string, options: SourceOptions): Promise<void> {
  if (existsSync(path)) return
  const unfinished = `${path}.part.mp4`
  const { seconds, loops = 1 } = options
  if (loops === 1) await encodeVideo(unfinished, options)
  else {
    const once = `${path}.once.mp4`
    await encodeVideo(once, options)
    const length = ['-t', String(seconds * loops)]
    const input = ['-stream_loop', String(Math.ceil(loops)), '-i', once]
    await execa('ffmpeg', [...QUIET, ...input, ...length, '-c', 'copy', unfinished])
    await rm(once)
  }
  await rename(unfinished, path)
}

const QUIET = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y']

async function encodeVideo(path: string, { size, fps, seconds }: SourceOptions): Promise<void> {
  const [width, height] = size
  const picture = [
    `mandelbrot=s=${width / 2}x${height / 2}:r=${fps}:start_scale=2.5:end_scale=0.05:end_pts=${seconds * fps}:maxiter=200[m]`,
    `[m]scale=${width}x${height},format=yuv420p[near]`,
    `testsrc2=s=${width}x${height}:r=${fps}:d=${seconds},format=yuv420p[far]`,
    `[near][far]blend=all_expr='A*0.75+B*0.25',noise=alls=2:allf=t,trim=duration=${seconds}[v]`,
  ].join(';')
  const tune = `aevalsrc='0.2*sin(2*PI*220*t*(1+floor(mod(t,4))/4))|0.2*sin(2*PI*330*t)':d=${seconds}:s=48000[a]`
  await execa(
    'ffmpeg',
    [
      QUIET,
      ['-filter_complex', `${picture};${tune}`, '-map', '[v]', '-map', '[a]'],
      ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-c:a', 'aac', '-b:a', '192k'],
      ['-t', String(seconds), path],
    ].flat(),
  )
}
