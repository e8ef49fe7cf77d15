import { execa } from 'execa'

/** A film that an encoder has to work for: moving picture, motion, grain (unless told), and a tone. */
export async function makeFilm(
  path: string,
  options: { seconds: number; size?: string; rate?: number; sound?: boolean; grain?: boolean },
): Promise<void> {
  const { seconds, size = '1280x720', rate = 30, sound = true, grain = true } = options
  const picture = `testsrc2=s=${size}:r=${rate}:d=${seconds}${grain ? ',noise=alls=12:allf=t' : ''}`
  const audio = sound ? ['-f', 'lavfi', '-i', `sine=440:d=${seconds}:r=48000`] : []
  await execa('ffmpeg', [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', picture],
    ...audio,
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '24', '-pix_fmt', 'yuv420p'],
    ...(sound ? ['-c:a', 'aac', '-b:a', '128k'] : []),
    path,
  ])
}
