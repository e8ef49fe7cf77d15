import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { execa } from 'execa'

const SECONDS = 24

/**
 * Makes the sample film once: 24 s of 1080p with motion, the film's own clock burned in, and a
 * tune. testsrc2 draws its clock itself, so no font is needed on the machine.
 */
export async function ensureSampleFilm(path: string): Promise<void> {
  if (existsSync(path)) return
  const picture = `testsrc2=s=1920x1080:r=30:d=${SECONDS}`
  const note = '220*pow(2,floor(mod(2*t,8))/6)'
  const tune = `aevalsrc='0.25*sin(2*PI*${note}*t)*exp(-3*mod(t,0.5))|0.2*sin(PI*${note}*t)*exp(-3*mod(t,0.5))':d=${SECONDS}:s=48000`
  const unfinished = `${path}.part.mp4`
  await execa('ffmpeg', [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'],
    ...['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', tune],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '22', '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'aac', '-b:a', '160k', unfinished],
  ])
  await rename(unfinished, path)
}
