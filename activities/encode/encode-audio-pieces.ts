import { writeFile } from 'node:fs/promises'
import { isChunkRecorded } from '../../db/ingest/rendition-chunks.ts'
import {
  AUDIO_RATE,
  audioPieceOf,
  audioSegmentSeconds,
  PACKET_SAMPLES,
  type AudioPiece,
} from '../../domain/encoding/audio-pieces.ts'
import { planChunk } from '../../domain/encoding/chunks.ts'
import { audioDamagedPercent, isUndecodable, joinedAudio } from '../../domain/encoding/damage.ts'
import type { ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import { joinedLoudness } from '../../domain/encoding/loudness.ts'
import type { AudioTrack, EncodePartInput, PartAudio } from '../../domain/ingest/ingest.ts'
import type { SourceAudio } from '../../domain/ingest/source-facts.ts'
import { encodeAudioPiece, type EncodedPiece } from '../../media/encode/encode-audio-piece.ts'
import { notDecoded } from '../../media/encode/encode-audio.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import type { ActivityDeps } from '../deps.ts'
import { newFile } from '../scratch/scratch-file.ts'
import { withSource, type OpenSource } from '../source/open-source.ts'
import { timed, type OpenWork } from './encode-work.ts'
import { publishChunk, type ChunkToPublish } from './publish-chunk.ts'

interface Place extends OpenWork {
  video: ChunkToPublish['video']
}

/**
 * Encodes and publishes the audio that belongs to a chunk of the picture (ADR 0048), track by track. Skips tracks whose piece is recorded.
 * The last piece of a track publishes it.
 */
export async function encodeAudioPieces(
  deps: ActivityDeps,
  place: Place,
  input: EncodePartInput,
): Promise<void> {
  const { videoId, sound, plan, index } = input
  for (const track of sound.tracks) {
    const id = { videoId, name: track.name, count: plan.count, index }
    if (!(await isChunkRecorded(deps.db.em.fork(), id))) await makePiece(deps, place, input, track)
  }
}

async function makePiece(
  deps: ActivityDeps,
  place: Place,
  input: EncodePartInput,
  track: AudioTrack,
): Promise<void> {
  const { folder, work } = place
  const source = sourceOf(input.sound, track)
  const file = await newFile(folder, track.name)
  const { path } = file
  try {
    const { encoded, from } = await withSource(
      deps,
      folder,
      input.videoId,
      work,
      async (opened, reading) => ({
        encoded: await encodeOne(input, source, { path: opened.path, outputPath: path }, reading),
        from: opened,
      }),
    )
    await writeFile(path, encoded.file.bytes)
    await publishChunk(
      deps,
      folder,
      itemOf(place, input, { track, source, encoded, from, path }),
      work,
    )
  } finally {
    await file.remove()
  }
}

function sourceOf({ audio }: PartAudio, { position }: AudioTrack): SourceAudio {
  const source = audio[position]
  if (!source) throw new Error('the plan names an audio track that the source does not have')
  return source
}

const pieceOf = ({ picture, plan, index }: EncodePartInput): AudioPiece => {
  const { frameRate } = picture.video
  return audioPieceOf(planChunk(plan, frameRate, index), frameRate)
}

function encodeOne(
  input: EncodePartInput,
  track: SourceAudio,
  { path: sourcePath, outputPath }: { path: string; outputPath: string },
  work: MediaWork,
): Promise<EncodedPiece> {
  const { durationMs } = input.picture
  // The progress of the activity is that of the picture, which takes longer.
  const reading = { ...work, onProgress: () => work.onProgress?.() }
  const target = { sourcePath, outputPath, durationMs, track, piece: pieceOf(input) }
  return timed(encodeAudioPiece({ ...reading, ...target }), {
    kind: 'audio',
    mediaSecondsOf: ({ packets }) => (packets * PACKET_SAMPLES) / AUDIO_RATE,
  })
}

interface MadePiece {
  track: AudioTrack
  source: SourceAudio
  encoded: EncodedPiece
  from: OpenSource
  path: string
}

function itemOf(
  { video }: Place,
  { picture, plan, index, audioNames }: EncodePartInput,
  { track, source, encoded, from, path }: MadePiece,
): ChunkToPublish {
  const { frameRate } = picture.video
  const { language, title: label, purpose } = source
  const rendition = {
    kind: 'audio',
    name: track.name,
    trackType: 'AUDIO',
    language,
    label,
    purpose,
  } as const
  const { file, sound, loudness } = encoded
  return {
    ...rendition,
    video,
    audioNames,
    plan,
    chunk: planChunk(plan, frameRate, index),
    encodedPath: path,
    encoded: null,
    segmentSeconds: audioSegmentSeconds(frameRate),
    delayTicks: file.delayTicks,
    sound: { ...sound, loudness },
    sourceId: from.sourceId,
    sourceBytes: from.sizeBytes,
    damageOf: (chunks) => damageOf(picture.durationMs, chunks),
    loudnessOf: (chunks) => ({
      ...joinedLoudness(audioOf(chunks).map((one) => one.loudness)),
      gainDb: 0,
    }),
  }
}

const audioOf = (chunks: readonly ChunkFacts[]) => chunks.flatMap(({ sound }) => sound ?? [])

/** Throws a MediaError if nothing of the track can be decoded. */
function damageOf(durationMs: number | null, chunks: readonly ChunkFacts[]): number {
  const sound = joinedAudio(audioOf(chunks))
  if (isUndecodable(sound)) throw notDecoded()
  return audioDamagedPercent(durationMs, sound)
}
