import { execa } from 'execa'

interface FilmOptions {
  seconds: number
  size?: string
  rate?: number
  sound?: boolean
  grain?: boolean
  /** Of its audio tracks (ISO 639-2); one without a language where none are named. */
  languages?: string[]
}

/** A film that an encoder has to work for: moving picture, motion, grain (unless told), and a tone. */
export async function makeFilm(path: string, options: FilmOptions): Promise<void> {
  const { seconds, size = '1280x720', rate = 30, sound = true, grain = true } = options
  const languages = sound ? (options.languages ?? ['und']) : []
  const picture = `testsrc2=s=${size}:r=${rate}:d=${seconds}${grain ? ',noise=alls=12:allf=t' : ''}`
  const audio = languages.flatMap((_, at) => [
    ...['-f', 'lavfi', '-i', `sine=${440 * (at + 1)}:d=${seconds}:r=48000`],
  ])
  const tracks = languages.flatMap((language, at) => [
    ...['-map', String(at + 1), `-metadata:s:a:${at}`, `language=${language}`],
  ])
  await execa('ffmpeg', [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', picture],
    ...audio,
    ...['-map', '0', ...tracks],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '24', '-pix_fmt', 'yuv420p'],
    ...(sound ? ['-c:a', 'aac', '-b:a', '128k'] : []),
    path,
  ])
}
