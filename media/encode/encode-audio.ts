import { rm } from 'node:fs/promises'
import { isUndecodable, type DecodedAudio } from '../../domain/encoding/damage.ts'
import { gainOf, type Loudness, type TrackLoudness } from '../../domain/encoding/loudness.ts'
import type { SourceAudio, SourceFacts } from '../../domain/ingest/source-facts.ts'
import { streamStats } from '../ffmpeg-log.ts'
import { inputArguments, runFfmpeg, type FfmpegResult } from '../ffmpeg.ts'
import { MediaError } from '../media-error.ts'
import { readLoudness } from '../probe/read-loudness.ts'
import type { MediaWork } from '../run-tool.ts'

export interface EncodeAudioOptions extends MediaWork {
  sourcePath: string
  facts: SourceFacts
  track: SourceAudio
  outputPath: string
  /** Receives the mix without loss, if the loudness is changed; by default a file that is removed. */
  mixPath?: string
  /** Brings the track to the target of `domain/encoding/loudness.ts`. The output then grows only after the whole source was read. */
  normalizesLoudness?: boolean | undefined
}

/** An encoded track: how loud it is, and what was decoded of its source. */
export interface EncodedAudio {
  loudness: TrackLoudness
  sound: DecodedAudio
}

/**
 * Encodes one whole audio track to AAC stereo at 48 kHz, and measures its loudness. The output can be cut while it
 * grows (`media/encode/cut-audio.ts`). Fills a late start and gaps with
 * silence, and pads a track that ends early to the source's duration, so that audio and picture stay in sync.
 * Damaged parts become silence. Throws a MediaError if nothing of the track can be decoded.
 */
export async function encodeAudio(options: EncodeAudioOptions): Promise<EncodedAudio> {
  const encode = options.normalizesLoudness ? encodeTwice : encodeOnce
  const encoded = await encode(options)
  options.onProgress?.(1)
  return encoded
}

async function encodeOnce(options: EncodeAudioOptions): Promise<EncodedAudio> {
  const output = [...AAC, options.outputPath]
  const { loudness, result } = await run(sourceArguments(options, '', output), options)
  return { loudness: { ...loudness, gainDb: 0 }, sound: decodedAudioOf(result, options.track) }
}

/** Returns what was decoded of the track. Throws a MediaError if nothing of it can be. */
function decodedAudioOf(result: FfmpegResult, track: SourceAudio): DecodedAudio {
  const audio = decodedAudio(result, track)
  if (isUndecodable(audio)) throw notDecoded()
  return audio
}

/** What was decoded of the track. */
export function decodedAudio(
  result: FfmpegResult,
  { index, sampleRate }: SourceAudio,
): DecodedAudio {
  const { packetsRead, undecodable, samplesDecoded, isInterrupted } = streamStats(result, index)
  return {
    packetsRead,
    packetsUndecodable: undecodable,
    decodedMs: (samplesDecoded * 1000) / Math.max(1, sampleRate),
    isInterrupted: isInterrupted || result.hasSkipped || result.isCut,
  }
}

export const notDecoded = (): MediaError =>
  new MediaError('encoding_failed', 'An audio track could not be decoded.')

/** Decoded audio may exceed full scale, which FLAC cannot hold. */
const HEADROOM_DB = 12
/** Reading the source and mixing it costs more than the encode of the mix. */
const MIX_FRACTION = 0.6

/** The gain is known only at the end of the track, so the mix is kept without loss until then. */
async function encodeTwice(options: EncodeAudioOptions): Promise<EncodedAudio> {
  const { onProgress, outputPath, mixPath = `${outputPath}.flac` } = options
  const part = (from: number, to: number) => ({
    ...options,
    onProgress: (fraction?: number) =>
      onProgress?.(fraction === undefined ? undefined : from + fraction * (to - from)),
  })
  try {
    const mixed = [...FLAC, mixPath]
    const toMix = sourceArguments(options, `,volume=-${HEADROOM_DB}dB`, mixed)
    const { loudness, result } = await run(toMix, part(0, MIX_FRACTION))
    const audio = decodedAudioOf(result, options.track)
    const gainDb = gainOf(loudness)
    const gain = ['-af', `volume=${gainDb + HEADROOM_DB}dB`]
    const fromMix = [...inputArguments(mixPath), ...gain, ...AAC, outputPath]
    await run(fromMix, part(MIX_FRACTION, 1))
    return { loudness: { ...loudness, gainDb: Math.round(gainDb * 10) / 10 }, sound: audio }
  } finally {
    if (options.mixPath === undefined) await rm(mixPath, { force: true })
  }
}

/** Returns what the filters measure. */
async function run(
  args: string[],
  { signal, onProgress, stallMs, niceness, facts: { durationMs } }: EncodeAudioOptions,
): Promise<{ loudness: Loudness; result: FfmpegResult }> {
  const { onLine: onLogLine, loudness } = readLoudness()
  const work = { signal, onProgress, stallMs, niceness, durationMs, onLogLine }
  const result = await runFfmpeg(args, work)
  if (result.exitCode !== 0) throw notDecoded()
  return { loudness: loudness(), result }
}

/** At 48 kHz, from `firstSample` of the source on, with silence for a late start and for gaps. */
const resampled = (firstSample: number): string =>
  `aresample=48000:async=1:first_pts=${firstSample}`

/**
 * All layouts are mixed by the coefficients of ITU-R BS.775: centre and surrounds at -3 dB, without the effects
 * channel. The sum is lowered so far that it cannot clip.
 */
const MIX = [
  'center_mix_level=0.7071:surround_mix_level=0.7071:lfe_mix_level=0:rematrix_maxval=1',
  'aformat=channel_layouts=stereo:sample_fmts=fltp',
].join(',')

/** Returns the filters that make a track stereo, from a sample of the source on. ffmpeg would lower mono by 3 dB. */
export const stereoOf = ({ channels }: SourceAudio, firstSample = 0): string =>
  channels === 1
    ? `${resampled(firstSample)},pan=stereo|c0=c0|c1=c0`
    : `${resampled(firstSample)}:${MIX}`

/** A stated duration can be too short, so it never shortens the track. */
const padTo = (durationMs: number): string => `,apad=whole_dur=${durationMs / 1000}`

/** Logs its summary; its ten lines for each second only at the level `debug`, which is 48. */
const MEASURE = 'ebur128=peak=true:framelog=48'

/**
 * Where times jump, ffmpeg continues those of all streams behind the first that jumps. Without the picture, the audio
 * of each joined part would begin later than its picture by what the audio before is longer.
 */
const alsoRead = ({ container, video }: SourceFacts): string[] =>
  container.startsWith('mpeg') ? ['-map', `0:${video.index}`, '-c', 'copy', '-f', 'null', '-'] : []

/** The stereo mix of a track, measured, then filtered by `change`. */
function sourceArguments(
  { sourcePath, facts, track }: EncodeAudioOptions,
  change: string,
  output: string[],
): string[] {
  const { durationMs } = facts
  const pad = durationMs === null ? '' : padTo(durationMs)
  return [
    ['-max_error_rate', '1'],
    inputArguments(sourcePath),
    ['-map', `0:${track.index}`, '-vn', '-sn', '-dn'],
    ['-af', `${stereoOf(track)},${MEASURE}${change}${pad}`],
    output,
    alsoRead(facts),
  ].flat()
}

const UNTAGGED = ['-map_metadata', '-1', '-map_chapters', '-1']
const FLAC = [
  ['-c:a', 'flac', '-sample_fmt', 's32', '-compression_level', '0', ...UNTAGGED],
  ['-f', 'flac'],
].flat()
/** Each packet is a fragment, so that the file can be cut at any of them while it grows. Its head waits for the edit list. */
const FRAGMENTS = 'frag_every_frame+empty_moov+delay_moov+default_base_moof'
/** The arguments of the encoder and of its output. */
export const AAC = [
  ['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000', ...UNTAGGED],
  ['-movflags', FRAGMENTS, '-f', 'mp4'],
].flat()
