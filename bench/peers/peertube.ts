import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'
import { runFfmpeg, SOURCE, type Encode } from './peer.ts'

// Parameters from Chocobozzz/PeerTube (release 6.3 and later): packages/ffmpeg/src/ffmpeg-vod.ts (commit d7562e0b),
// ffmpeg-default-transcoding-profile.ts (bbaf96d6), shared/presets.ts (3a496a73) and shared/encoder-options.ts (034e1bf3);
// packages/core-utils/src/videos/bitrate.ts (b6b1aaa5); config/default.yaml (f83674c1); the order of jobs from
// server/core/lib/transcoding/shared/job-builders/abstract-job-builder.ts (23cd9243) and transcoding-resolutions.ts (0e8a6bbe).
//
// As there by default: HLS without web videos, one job at a time, one encoder thread. Departures: our resolutions are
// enabled; neither thumbnails and storyboard nor torrents and hashes of segments are made.

/** The average bits of a pixel in each resolution: the cap of the rate. */
const BITS_PER_PIXEL: Readonly<Record<number, number>> = {
  240: 0.17,
  360: 0.15,
  480: 0.12,
  720: 0.11,
  1080: 0.1,
}
const LEAST_BITS_PER_PIXEL = 0.02
/** Below, a source in H.264 is copied. */
const COPIED_BITS_PER_PIXEL = 0.17
/** How much more than its input an output may have. */
const OF_INPUT = 1.3

/** After the resolution of the source. */
const LOWER_HEIGHTS = [480, 360, 720, 240]

const THREADS = ['-threads', '1']

/**
 * First the source becomes one file in its own resolution, with its audio. That is copied to HLS and removed; the lower
 * resolutions are encoded from the copy, one command after another, with the audio in each.
 */
export const encodeAsPeertube: Encode = async (source, folder) => {
  const [, top] = SOURCE.size
  const original = await probe(source)
  if (original.rate <= pixelsPerSecond(top) * COPIED_BITS_PER_PIXEL)
    throw new Error('PeerTube would copy this source')
  const web = join(folder, 'web.mp4')
  // AAC of at most 384 kb/s is copied here.
  const audio = ['-c:a', 'copy']
  await runFfmpeg(['-i', source, ...audio, ...pictureOf(top, original.rate), web], folder)
  const files = new Map<number, string>()
  const toHls = async (height: number, args: readonly string[]): Promise<string> => {
    const path = join(folder, `${height}.mp4`)
    await runFfmpeg([...args, ...hlsInto(path), join(folder, `${height}.m3u8`)], folder)
    files.set(height, path)
    return path
  }
  const copy = ['-c:a', 'copy', '-c:v', 'copy', '-f', 'mp4', ...THREADS]
  const best = await toHls(top, ['-i', web, ...copy])
  await rm(web)
  for (const height of LOWER_HEIGHTS) {
    const { rate, audioRate } = await probe(best)
    const stereo = ['-c:a', 'aac', '-channel_layout', 'stereo']
    const unknown = audioRate === undefined ? ['-b:a', '256k'] : []
    await toHls(height, ['-i', best, ...stereo, ...unknown, ...pictureOf(height, rate)])
  }
  return files
}

/** Without `-crf`: x264 uses 23. */
function pictureOf(height: number, inputRate: number): string[] {
  const pixels = pixelsPerSecond(height)
  const average = Math.min(pixels * (BITS_PER_PIXEL[height] ?? 0), inputRate * OF_INPUT)
  const rate = Math.floor(Math.max(pixels * LEAST_BITS_PER_PIXEL, average))
  return [
    ['-c:v', 'libx264', '-f', 'mp4', ...THREADS, '-movflags', 'faststart'],
    ['-max_muxing_queue_size', '1024', '-map_metadata', '-1', '-pix_fmt', 'yuv420p'],
    ['-vf', `scale=w=-2:h=${height}`, '-preset', 'veryfast'],
    ['-maxrate:v', String(rate), '-bufsize:v', String(rate * 2)],
    ['-b_strategy', '1', '-bf', '16', '-r', String(SOURCE.fps), '-g:v', String(SOURCE.fps * 2)],
  ].flat()
}

function pixelsPerSecond(height: number): number {
  const [width, top] = SOURCE.size
  return height * height * (width / top) * SOURCE.fps
}

/** One fragmented file, with a playlist of its byte ranges. */
const hlsInto = (path: string): string[] =>
  [
    ['-hls_time', '4', '-hls_list_size', '0', '-hls_playlist_type', 'vod'],
    ['-hls_segment_filename', path, '-hls_segment_type', 'fmp4'],
    ['-f', 'hls', '-hls_flags', 'single_file'],
  ].flat()

const probeSchema = z.object({
  format: z.object({ bit_rate: z.coerce.number() }),
  streams: z.array(z.object({ codec_type: z.string(), bit_rate: z.coerce.number().optional() })),
})

async function probe(path: string): Promise<{ rate: number; audioRate: number | undefined }> {
  const wanted = ['-v', 'error', '-show_format', '-show_streams', '-of', 'json']
  const { stdout } = await execa('ffprobe', [...wanted, path])
  const { format, streams } = probeSchema.parse(JSON.parse(stdout))
  const audio = streams.find((stream) => stream.codec_type === 'audio')
  return { rate: format.bit_rate, audioRate: audio?.bit_rate }
}
