import { readFile } from 'node:fs/promises'
import { AUDIO_RATE, PACKET_SAMPLES, type AudioPiece } from '../../domain/encoding/audio-pieces.ts'
import type { DecodedAudio } from '../../domain/encoding/damage.ts'
import type { PieceLoudness } from '../../domain/encoding/loudness.ts'
import type { FrameGrid, SourceAudio } from '../../domain/ingest/source-facts.ts'
import { inputArguments, runFfmpeg } from '../ffmpeg.ts'
import { MediaError } from '../media-error.ts'
import { readBlocks, readLoudness } from '../probe/read-loudness.ts'
import type { MediaWork } from '../run-tool.ts'
import { cutPiece, type AudioFile } from './cut-audio.ts'
import { AAC, decodedAudio, stereoOf } from './encode-audio.ts'

export interface EncodeAudioPieceOptions extends MediaWork {
  sourcePath: string
  /** Of the video; the last piece is padded to it. */
  durationMs: number | null
  track: SourceAudio
  piece: AudioPiece
  /** Receives what the encoder writes, which is more than the piece. */
  outputPath: string
}

/** A piece of a track: what was decoded for it, and how loud it is. */
export interface EncodedPiece {
  file: AudioFile
  packets: number
  sound: DecodedAudio
  loudness: PieceLoudness
}

/**
 * An encoder chooses the windows and the rates of its packets by those before them. It begins so much before a piece
 * and ends so much behind it, so that the packets at the seams are like those of the whole track. The 400 ms of a block of loudness are in it too.
 */
const LEAD_SAMPLES = 20 * PACKET_SAMPLES
const TRAIL_SAMPLES = 4 * PACKET_SAMPLES
/** The filter that changes the rate begins so much before the encoder. */
const RESAMPLER_SAMPLES = AUDIO_RATE / 10
/** Decoders need the packets before the first sample that they decode rightly. */
const DECODER_SECONDS = 1

/**
 * Encodes a piece of an audio track by itself, as `encodeAudio` does the whole track: with the same packets before and behind its
 * seams. Throws a MediaError `chunk_not_exact` if the source does not give all of the piece.
 */
export async function encodeAudioPiece(options: EncodeAudioPieceOptions): Promise<EncodedPiece> {
  const { signal, stallMs, onProgress, niceness, track, piece, outputPath } = options
  const lead = leadOf(piece)
  const blocks = readBlocks({
    fromSeconds: piece.startSample / AUDIO_RATE,
    toSeconds: (piece.endSample ?? Infinity) / AUDIO_RATE,
  })
  const peak = readLoudness()
  const onLogLine = (line: string): void => {
    blocks.onLine(line)
    peak.onLine(line)
  }
  const work = { signal, stallMs, onProgress, niceness, onLogLine }
  const isSeeking = lead.seekSeconds > 0
  const result = await runFfmpeg(pieceArguments(options, lead), { ...work, isSeeking })
  if (result.exitCode !== 0) throw notExact()
  const cut = cutPiece(await readFile(outputPath), piece, lead.startSample)
  if (!cut) throw notExact()
  const { truePeakDbtp } = peak.loudness()
  const decoded = decodedAudio(result, track)
  const leadMs = (piece.startSample / AUDIO_RATE - lead.seekSeconds) * 1000
  const sound = { ...decoded, decodedMs: Math.max(0, decoded.decodedMs - leadMs) }
  return { ...cut, sound, loudness: { blocks: blocks.blocks, truePeakDbtp } }
}

const notExact = (): MediaError =>
  new MediaError('chunk_not_exact', 'A part of the audio cannot be read by itself.')

/** Where the tools begin for a piece. */
interface Lead {
  /** 0 if the source is read from its start. */
  seekSeconds: number
  /** Whole seconds, at which the samples of the source and of the output meet. */
  filterSeconds: number
  /** The first sample that is encoded. */
  startSample: number
}

function leadOf({ startSample: pieceStart }: AudioPiece): Lead {
  const startSample = Math.max(0, pieceStart - LEAD_SAMPLES)
  const filterSeconds = Math.max(0, Math.floor((startSample - RESAMPLER_SAMPLES) / AUDIO_RATE))
  const seekSeconds = Math.max(0, filterSeconds - DECODER_SECONDS)
  return { seekSeconds, filterSeconds, startSample }
}

/** Logs ten lines for each second and a summary. */
const MEASURE = 'ebur128=peak=true:framelog=info'

function pieceArguments(
  { sourcePath, durationMs, track, piece, outputPath }: EncodeAudioPieceOptions,
  { seekSeconds, filterSeconds, startSample }: Lead,
): string[] {
  const seek = seekSeconds > 0 ? ['-noaccurate_seek', '-ss', String(seekSeconds)] : []
  const end = piece.endSample === null ? null : piece.endSample + TRAIL_SAMPLES
  const videoEnd = Math.ceil(((durationMs ?? 0) * AUDIO_RATE) / 1000)
  const filters = [
    seekSeconds > 0 && track.grid && snapped(track.grid),
    filterSeconds > 0 && `atrim=start=${filterSeconds}`,
    stereoOf(track, filterSeconds * track.sampleRate),
    `atrim=start_pts=${startSample}${end === null ? '' : `:end_pts=${end}`}`,
    MEASURE,
    `apad=whole_len=${Math.max(0, (end ?? videoEnd) - startSample)}`,
    'asetpts=N/SR/TB',
  ]
  return [
    ['-max_error_rate', '1', ...seek, '-copyts', '-start_at_zero'],
    inputArguments(sourcePath),
    ['-map', `0:${track.index}`, '-vn', '-sn', '-dn'],
    ['-af', filters.filter(Boolean).join(',')],
    [...AAC, outputPath],
  ].flat()
}

/** A rounded time is off by half of what the container counts; so is the one that the grid begins with. */
const ROUNDING = 1.5

/** Returns the filter that puts frames with rounded times at their exact ones. Behind a gap, times are as they are stated. */
function snapped({ frameSamples, startSample, tickSamples }: FrameGrid): string | false {
  if (frameSamples <= 1) return false
  const offset = `(PTS-${startSample})`
  const rest = `(${offset}-round(${offset}/${frameSamples})*${frameSamples})`
  return `asetpts='PTS-if(lte(abs(${rest}),${ROUNDING * tickSamples}),${rest},0)'`
}
