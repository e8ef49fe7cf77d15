import type { SourceFacts, SourcePicture } from '../../domain/ingest/source-facts.ts'
import { inputArguments } from '../ffmpeg.ts'
import { MediaError, type MediaErrorCode } from '../media-error.ts'
import { runTool, type MediaWork } from '../run-tool.ts'
import { isEstimated, measureDuration } from './measure-duration.ts'
import { audioAlone, indexCut, unreadable } from './probe-failure.ts'
import { isAudible, isPicture, probeSchema, type Probed, type ProbedStream } from './probed-file.ts'
import { isIndexCut } from './read-index-cut.ts'
import { hasTransparentPixels } from './read-transparency.ts'
import { audioOf } from './source-audio.ts'
import { dolbyVisionAlone, hasAlpha, pictureOf, trackEndMs } from './source-picture.ts'
import { warningsOfStreams } from './source-warnings.ts'

const STREAMS_MAX = 64
const AUDIO_TRACKS_MAX = 16
const LONGEST_SIDE_MAX = 16_384
const PIXELS_MAX = 8_192 * 8_192

/**
 * Reads the tracks and the duration of a downloaded file. Of several video tracks the default one counts. The main audio
 * track comes first. Throws a MediaError with a message for the integrator if the file is not a playable video.
 */
export async function probeSource(path: string, work: MediaWork): Promise<SourceFacts> {
  try {
    return await readSource(path, work)
  } catch (error) {
    const mayBeCut = error instanceof MediaError && FAULTS_OF_CUT_FILES.has(error.code)
    if (mayBeCut && (await isIndexCut(path, work))) throw indexCut()
    throw error
  }
}

/** What a file that is cut inside its index seems to be. */
const FAULTS_OF_CUT_FILES: ReadonlySet<MediaErrorCode> = new Set<MediaErrorCode>([
  'unreadable_file',
  'unsupported_container',
  'no_video_stream',
  'nothing_decodable',
])

async function readSource(path: string, work: MediaWork): Promise<SourceFacts> {
  const probed = await probe(path, work)
  const { streams, format, packets, chapters } = probed
  if (streams.length > STREAMS_MAX)
    throw new MediaError('unsupported_container', 'The file has more than 64 streams.')
  const picture = pictureToPlay(streams)
  if (packets.length === 0 && (await isIndexCut(path, work))) throw indexCut()
  if (packets.some(isEncrypted))
    throw new MediaError('encrypted_source', 'The file is encrypted. Send one without encryption.')
  const video = pictureOf(picture)
  assertSize(video)
  assertColors(picture)
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

function assertColors(picture: ProbedStream): void {
  const profile = dolbyVisionAlone(picture)
  if (profile !== null)
    throw new MediaError(
      'unsupported_dolby_vision',
      `The picture is in Dolby Vision profile ${profile}, whose colours cannot be converted. Export it in HDR10, HLG or SDR.`,
    )
}

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
