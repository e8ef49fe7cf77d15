import { z } from 'zod'
import { inputArguments } from './ffmpeg.ts'
import { MediaError } from './media-error.ts'
import { runTool } from './run-tool.ts'
import type { MediaWork } from './run-tool.ts'
import { pictureOf } from './source-picture.ts'
import type { SourceAudio, SourceFacts, SourcePicture } from '../domain/source-facts.ts'

const STREAMS_MAX = 64
const AUDIO_TRACKS_MAX = 16
const LONGEST_SIDE_MAX = 16_384
const PIXELS_MAX = 8_192 * 8_192

const tags = z.record(z.string(), z.string()).catch({})
const numeric = z.coerce.number().catch(0)

const streamSchema = z.looseObject({
  index: z.number(),
  codec_type: z.string().catch('unknown'),
  codec_name: z.string().catch('unknown'),
  channels: numeric,
  sample_rate: numeric,
  disposition: z.looseObject({ attached_pic: numeric }).catch({ attached_pic: 0 }),
  tags,
})

const probeSchema = z.looseObject({
  streams: z.array(streamSchema).catch([]),
  format: z.looseObject({ format_name: z.string(), duration: z.string().optional() }),
})

type ProbedStream = z.infer<typeof streamSchema>

/**
 * Reads the tracks and the duration of a downloaded file. Throws a MediaError with a message for the
 * integrator if the file is not a playable video.
 */
export async function probeSource(path: string, work: MediaWork): Promise<SourceFacts> {
  const probed = await probe(path, work)
  if (probed.streams.length > STREAMS_MAX)
    throw new MediaError('unsupported_container', 'The file has more than 64 streams.')
  const picture = probed.streams.find(
    ({ codec_type, disposition }) => codec_type === 'video' && disposition.attached_pic === 0,
  )
  if (!picture)
    throw new MediaError(
      'no_video_stream',
      'The file has no video track; audio alone cannot be played.',
    )
  const video = pictureOf(picture)
  assertSize(video)
  return {
    container: probed.format.format_name,
    durationMs: durationOf(probed.format.duration),
    video,
    audio: probed.streams.filter(isAudible).slice(0, AUDIO_TRACKS_MAX).map(audioOf),
  }
}

async function probe(path: string, work: MediaWork): Promise<z.infer<typeof probeSchema>> {
  const wanted = ['-v', 'error', '-print_format', 'json', '-show_format', '-show_streams']
  const { exitCode, stdout, stderr } = await runTool(
    'ffprobe',
    [...wanted, ...inputArguments(path)],
    work,
  )
  if (exitCode !== 0) throw unreadable(stderr)
  const parsed = probeSchema.safeParse(JSON.parse(stdout))
  if (!parsed.success || parsed.data.streams.length === 0) throw unreadable(stderr)
  return parsed.data
}

function unreadable(stderr: string): MediaError {
  if (/not on whitelist|Invalid data found when processing input/i.test(stderr))
    return new MediaError('unsupported_container', 'The file is not a video file that can be read.')
  if (/moov atom not found|truncat|end of file/i.test(stderr))
    return new MediaError('unreadable_file', 'The file is incomplete: its index is missing.')
  return new MediaError('unreadable_file', 'The file is damaged or is not a video file.')
}

function assertSize({ width, height }: SourcePicture): void {
  if (width < 1 || height < 1)
    throw new MediaError('nothing_decodable', 'The video track has no picture that can be decoded.')
  if (Math.max(width, height) > LONGEST_SIDE_MAX || width * height > PIXELS_MAX)
    throw new MediaError(
      'video_too_large',
      `The picture of ${width} × ${height} pixels is too large.`,
    )
}

const isAudible = (stream: ProbedStream): boolean =>
  stream.codec_type === 'audio' && stream.channels > 0 && stream.codec_name !== 'unknown'

const audioOf = (stream: ProbedStream): SourceAudio => ({
  index: stream.index,
  codec: stream.codec_name,
  channels: stream.channels,
  sampleRate: stream.sample_rate,
  language: languageOf(stream.tags.language),
  title: stream.tags.title?.slice(0, 100) ?? null,
})

const languageOf = (tag: string | undefined): string | null =>
  tag !== undefined && /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag) && tag !== 'und' ? tag : null

function durationOf(seconds: string | undefined): number | null {
  const value = Number(seconds)
  return Number.isFinite(value) && value > 0 ? Math.round(value * 1000) : null
}
