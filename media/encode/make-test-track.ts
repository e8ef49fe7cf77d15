import { runFfmpeg } from '../ffmpeg.ts'
import { MediaError } from '../media-error.ts'
import type { MediaWork } from '../run-tool.ts'

const SECONDS = 2

/**
 * Encodes a test picture or a test tone of two seconds with the codecs of the ladder, as one track in an MP4
 * file, such as the packager takes. Throws a MediaError `encoding_failed`.
 */
export async function makeTestTrack(
  options: MediaWork & { kind: 'video' | 'audio'; outputPath: string },
): Promise<void> {
  const { kind, outputPath, ...work } = options
  const { exitCode } = await runFfmpeg([...TRACKS[kind], '-f', 'mp4', outputPath], work)
  if (exitCode !== 0)
    throw new MediaError('encoding_failed', 'ffmpeg could not encode a test picture and tone.')
}

const TRACKS: Readonly<Record<'video' | 'audio', readonly string[]>> = {
  video: [
    ['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=25:duration=${SECONDS}`],
    ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '50'],
  ].flat(),
  audio: [
    ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${SECONDS}`],
    ['-c:a', 'aac', '-b:a', '128k', '-ac', '2'],
  ].flat(),
}
