import { z } from 'zod'
import type { SourceFacts, SourcePicture } from '../domain/source-facts.ts'
import { warningsOf } from '../domain/video-warnings.ts'
import type { VideoWarning } from '../domain/video-warnings.ts'
import { inputArguments } from './ffmpeg.ts'
import { isEstimated, measureDuration } from './measure-duration.ts'
import { MediaError } from './media-error.ts'
import { audioAlone, unreadable } from './probe-failure.ts'
import { hasTransparentPixels } from './read-transparency.ts'
import { runTool } from './run-tool.ts'
import type { MediaWork } from './run-tool.ts'
import { audioOf } from './source-audio.ts'
import { FRAME_RATE_MAX, hasAlpha, pictureOf, statedRate, trackEndMs } from './source-picture.ts'

const STREAMS_MAX = 64
const AUDIO_TRACKS_MAX = 16
const LONGEST_SIDE_MAX = 16_384
const PIXELS_MAX = 8_192 * 8_192

const tags = z.record(z.string(), z.string()).catch({})
const numeric = z.coerce.number().catch(0)
const flag = z.coerce.boolean().catch(false)
const dispositionSchema = z.looseObject({
  default: flag,
  dub: flag,
  comment: flag,
  hearing_impaired: flag,
  visual_impaired: flag,
  attached_pic: flag,
  timed_thumbnails: flag,
})

const streamSchema = z.looseObject({
  index: z.number(),
  codec_type: z.string().catch('unknown'),
  codec_name: z.string().catch('unknown'),
  codec_tag_string: z.string().catch(''),
  width: numeric,
  height: numeric,
  channels: numeric,
  sample_rate: numeric,
  disposition: dispositionSchema.catch(() => dispositionSchema.parse({})),
  tags,
})

const probeSchema = z.looseObject({
  /** The first one. */
  packets: z
    .array(
      z.looseObject({
        side_data_list: z.array(z.looseObject({ side_data_type: z.string().catch('') })).catch([]),
      }),
    )
    .catch([]),
  streams: z.array(streamSchema).catch([]),
  chapters: z.array(z.unknown()).catch([]),
  format: z.looseObject({
    format_name: z.string(),
    duration: z.string().optional(),
    start_time: numeric,
  }),
})

type ProbedStream = z.infer<typeof streamSchema>
type Probed = z.infer<typeof probeSchema>

/**
 * Reads the tracks and the duration of a downloaded file. Of several video tracks the default one counts. The main audio
 * track comes first. Throws a MediaError with a message for the integrator if the file is not a playable video.
 */
export async function probeSource(path: string, work: MediaWork): Promise<SourceFacts> {
  const probed = await probe(path, work)
  const { streams, format, packets, chapters } = probed
  if (streams.length > STREAMS_MAX)
    throw new MediaError('unsupported_container', 'The file has more than 64 streams.')
  const picture = pictureToPlay(streams)
  if (packets.some(isEncrypted))
    throw new MediaError('encrypted_source', 'The file is encrypted. Send one without encryption.')
  const video = pictureOf(picture)
  assertSize(video)
  const audible = audioOf(streams.filter(isAudible))
  const facts = {
    container: format.format_name,
    durationMs: durationOf(format, [picture, ...streams.filter(isAudible)]),
    video,
    audio: audible.slice(0, AUDIO_TRACKS_MAX),
    hasExtras: chapters.length > 0 || streams.some((one) => one.codec_type === 'subtitle'),
  }
  const isTransparent =
    hasAlpha(picture) &&
    // GIF has no other pixels.
    (picture.codec_name !== 'gif' || (await hasTransparentPixels(path, picture.index, work)))
  const warnings = warningsOfStreams(streams, { picture, isTransparent }, facts)
  if (!isEstimated(facts)) return { ...facts, warnings }
  const durationMs = await measureDuration(path, facts, work)
  return { ...facts, durationMs, video: { ...video, durationMs }, warnings }
}

async function probe(path: string, work: MediaWork): Promise<Probed> {
  const shown = ['-show_format', '-show_streams', '-show_chapters']
  const first = ['-show_packets', '-read_intervals', '%+#1']
  const wanted = ['-v', 'error', '-print_format', 'json', ...shown, ...first]
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

function assertSize({ width, height }: SourcePicture): void {
  if (width < 1 || height < 1)
    throw new MediaError('nothing_decodable', 'The video track has no picture that can be decoded.')
  if (Math.max(width, height) > LONGEST_SIDE_MAX || width * height > PIXELS_MAX)
    throw new MediaError(
      'video_too_large',
      `The picture of ${width} × ${height} pixels is too large.`,
    )
}

const isCover = ({ disposition }: ProbedStream): boolean =>
  disposition.attached_pic || disposition.timed_thumbnails

const isPicture = (stream: ProbedStream): boolean =>
  stream.codec_type === 'video' && !isCover(stream)

/** The default track; without one, the first that has a size. */
function pictureToPlay(streams: ProbedStream[]): ProbedStream {
  const pictures = streams.filter(isPicture)
  const sized = pictures.filter(({ width, height }) => width > 0 && height > 0)
  const picture = sized.find(({ disposition }) => disposition.default) ?? sized[0] ?? pictures[0]
  if (picture) return picture
  if (streams.some(isAudible)) throw audioAlone()
  throw new MediaError('no_video_stream', 'The file has no video track.')
}

const isEncrypted = ({ side_data_list }: Probed['packets'][number]): boolean =>
  side_data_list.some(({ side_data_type }) => side_data_type.startsWith('Encryption'))

const isAudible = (stream: ProbedStream): boolean =>
  stream.codec_type === 'audio' && stream.channels > 0 && stream.codec_name !== 'unknown'

/** Containers round the ends of their tracks. */
const END_TOLERANCE_MS = 1_000

/**
 * Matroska states the end of the file on its own clock, which may start late; all others state the length. A subtitle
 * that is never taken away can make the file seem weeks long, so the ends of `tracks` count if all are stated.
 */
function durationOf(
  { duration, format_name, start_time }: Probed['format'],
  tracks: ProbedStream[],
): number | null {
  const end = Number(duration)
  const seconds = format_name.startsWith('matroska') ? end - Math.max(0, start_time) : end
  if (!Number.isFinite(seconds) || seconds <= 0) return null
  const statedMs = Math.round(seconds * 1000)
  const ends = tracks.map(trackEndMs).filter((one) => one !== null)
  const lastMs = Math.round(Math.max(...ends) - start_time * 1000)
  const isTooLong = ends.length === tracks.length && statedMs > lastMs + END_TOLERANCE_MS
  return isTooLong && lastMs > 0 ? lastMs : statedMs
}

/** MP4 has the titles of chapters in a track. */
const isChapterTitles = ({ codec_tag_string: tag }: ProbedStream): boolean => tag === 'text'

/** Says what of the file is not played, or not as it is. */
function warningsOfStreams(
  streams: ProbedStream[],
  { picture, isTransparent }: { picture: ProbedStream; isTransparent: boolean },
  { video, audio }: SourceFacts,
): VideoWarning[] {
  const count = (test: (stream: ProbedStream) => boolean): number => streams.filter(test).length
  const ofType = (type: string) => count(({ codec_type }) => codec_type === type)
  const sourceRate = Math.round(statedRate(picture))
  return warningsOf({
    video_tracks_dropped: count(isPicture) - 1,
    audio_tracks_dropped: ofType('audio') - audio.length,
    surround_downmixed: audio.filter(({ channels }) => channels > 2).length,
    data_tracks_dropped: count((one) => one.codec_type === 'data' && !isChapterTitles(one)),
    attachments_dropped:
      ofType('attachment') + count((one) => one.codec_type === 'video' && isCover(one)),
    hdr_converted: video.hdr ? 1 : 0,
    transparency_dropped: isTransparent ? 1 : 0,
    frame_rate_reduced: sourceRate > FRAME_RATE_MAX ? sourceRate : 0,
  })
}
