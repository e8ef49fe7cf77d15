import type { DecodedSound } from '../domain/damage.ts'
import type { SourceAudio, SourceFacts } from '../domain/source-facts.ts'
import { inputArguments, runFfmpeg } from './ffmpeg.ts'
import { accountOf } from './ffmpeg-log.ts'
import { MediaError } from './media-error.ts'
import type { MediaWork } from './run-tool.ts'

export interface EncodeAudioOptions extends MediaWork {
  sourcePath: string
  facts: SourceFacts
  track: SourceAudio
  outputPath: string
}

/**
 * Encodes one whole audio track to AAC stereo at 48 kHz. Fills a late start and gaps with silence, and
 * pads a track that ends early to the source's duration, so that sound and picture stay in sync.
 * Damaged parts become silence. Throws a MediaError if nothing of the track can be decoded.
 */
export async function encodeAudio(options: EncodeAudioOptions): Promise<DecodedSound> {
  const { signal, onProgress, stallMs, track } = options
  const { durationMs } = options.facts
  const work = { signal, onProgress, stallMs, durationMs }
  const result = await runFfmpeg(audioArguments(options), work)
  const { packetsRead, undecodable, samplesDecoded, isInterrupted } = accountOf(result, track.index)
  if (result.exitCode !== 0 || (samplesDecoded === 0 && undecodable > 0))
    throw new MediaError('encoding_failed', 'An audio track could not be decoded.')
  onProgress?.(1)
  return {
    packetsRead,
    packetsUndecodable: undecodable,
    decodedMs: (samplesDecoded * 1000) / Math.max(1, track.sampleRate),
    isInterrupted: isInterrupted || result.hasSkipped || result.isCut,
  }
}

/** At 48 kHz, with silence for a late start and for gaps. */
const RESAMPLE = 'aresample=48000:async=1:first_pts=0'

/**
 * All layouts are mixed by the coefficients of ITU-R BS.775: centre and surrounds at -3 dB, without the effects
 * channel. The sum is lowered so far that it cannot clip.
 */
const MIX = [
  'center_mix_level=0.7071:surround_mix_level=0.7071:lfe_mix_level=0:rematrix_maxval=1',
  'aformat=channel_layouts=stereo:sample_fmts=fltp',
].join(',')

/** ffmpeg would lower mono by 3 dB. */
const stereoOf = ({ channels }: SourceAudio): string =>
  channels === 1 ? `${RESAMPLE},pan=stereo|c0=c0|c1=c0` : `${RESAMPLE}:${MIX}`

/** A stated duration can be too short, so it never shortens the track. */
const padTo = (durationMs: number): string => `apad=whole_dur=${durationMs / 1000}`

/**
 * Where times jump, ffmpeg continues those of all streams behind the first that jumps. Without the picture, the sound of
 * each joined part would begin later than its picture by what the sound before is longer.
 */
const alsoRead = (index: number): string[] => [
  '-map',
  `0:${index}`,
  '-c',
  'copy',
  '-f',
  'null',
  '-',
]

function audioArguments({ sourcePath, facts, track, outputPath }: EncodeAudioOptions): string[] {
  const { durationMs } = facts
  return [
    ['-max_error_rate', '1'],
    inputArguments(sourcePath),
    ['-map', `0:${track.index}`, '-vn', '-sn', '-dn'],
    ['-af', [stereoOf(track), ...(durationMs === null ? [] : [padTo(durationMs)])].join(',')],
    ['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000'],
    ['-map_metadata', '-1', '-map_chapters', '-1', '-f', 'mp4', outputPath],
    facts.container.startsWith('mpeg') ? alsoRead(facts.video.index) : [],
  ].flat()
}
