import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { HEIGHTS, runFfmpeg, SOURCE, type Encode } from './peer.ts'

// Parameters from mediacms-io/mediacms (release 8.3.2, commit 90b9fad5): files/helpers.py (`get_base_ffmpeg_command`,
// `produce_ffmpeg_commands`), files/tasks.py, files/models/media.py, fixtures/encoding_profiles.json, cms/settings.py and
// deploy/docker/supervisord/supervisord-celery_long.conf.
//
// As there by default: H.264 with a CRF, the preset of the settings, a task for each profile, and as many tasks at once as
// the machine has cores, because that is how many Celery runs when it is not told. A video is cut into chunks from five
// minutes. Departures: without the profile of 144p, the animated preview and the sprites; without Bento4's `mp4hls`, which
// copies these files into segments, because no registry has it.

/** The target rates in kb/s at up to 30 frames per second. */
const RATES: Readonly<Record<number, number>> = {
  240: 300,
  360: 500,
  480: 1000,
  720: 2500,
  1080: 4500,
}
/** Of the target: the peak, and the buffer of a second. */
const OF_RATE = 1.5
const KEYFRAME_SECONDS = 4

/** Each resolution is a command that decodes the source, with the audio in each. */
export const encodeAsMediacms: Encode = async (source, folder) => {
  const files = new Map<number, string>()
  // In the order of the profiles.
  const queue = HEIGHTS.toReversed().values()
  const task = async (): Promise<void> => {
    for (const height of queue) {
      const path = join(folder, `${height}.mp4`)
      await runFfmpeg(['-i', source, ...outputOf(height), path], folder)
      files.set(height, path)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, task))
  return files
}

function outputOf(height: number): string[] {
  const peak = `${(RATES[height] ?? 0) * OF_RATE}k`
  const width = Math.round((height * 16) / 9)
  const keyframes = SOURCE.fps * KEYFRAME_SECONDS
  const scale = `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2:flags=lanczos`
  return [
    ['-c:v', 'libx264', '-filter:v', `${scale},fps=fps=${SOURCE.fps}`, '-pix_fmt', 'yuv420p'],
    ['-crf', '23', '-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-maxrate', peak, '-bufsize', peak],
    ['-force_key_frames', `expr:gte(t,n_forced*${KEYFRAME_SECONDS})`],
    ['-x264-params', `keyint=${keyframes * 2}:keyint_min=${keyframes}`],
    ['-preset', 'medium', '-profile:v', 'main', '-level', '4.2', '-strict', '-2'],
  ].flat()
}
