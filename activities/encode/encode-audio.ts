import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { IngestRefusal } from '../../commands/ingest/ingest-refusal.ts'
import { isChunkRecorded } from '../../db/ingest/rendition-chunks.ts'
import { isPublished } from '../../db/videos/renditions.ts'
import { audioPartOf, OPEN_COUNT } from '../../domain/encoding/audio-parts.ts'
import { AUDIO_SEGMENT_SECONDS, WHOLE_VIDEO } from '../../domain/encoding/chunks.ts'
import { audioDamagedPercent } from '../../domain/encoding/damage.ts'
import type { TrackLoudness } from '../../domain/encoding/loudness.ts'
import { CHUNK_NOT_EXACT, type EncodeAudioInput } from '../../domain/ingest/ingest.ts'
import type { SourceAudio } from '../../domain/ingest/source-facts.ts'
import { cutAudio, type AudioFile } from '../../media/encode/cut-audio.ts'
import { encodeAudio as encodeTrack, type EncodedAudio } from '../../media/encode/encode-audio.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import type { ActivityDeps } from '../deps.ts'
import { findLiveVideo } from '../ingest/ingest-step.ts'
import { newFile } from '../scratch/scratch-file.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'
import { withSource, type OpenSource } from '../source/open-source.ts'
import { openWork, timed } from './encode-work.ts'
import { publishChunk, type ChunkToPublish } from './publish-chunk.ts'

/**
 * Encodes an audio track in one run, once for all rungs, and publishes its parts while it is encoded; the last one
 * publishes the track. Audio whose loudness is changed comes later, because its gain is known only at its end. A retry
 * encodes from the beginning again and skips recorded parts: parts are cut at fixed times, so those of two attempts
 * fit. If recorded parts do not, the whole track is published as one part. Does nothing if the track is published.
 */
export async function encodeAudio(deps: ActivityDeps, input: EncodeAudioInput): Promise<void> {
  const { videoId, track, facts, audioNames } = input
  const source = facts.audio[track.position]
  if (!source) throw new Error('the plan names an audio track that the source does not have')
  const em = deps.db.em.fork()
  const video = await findLiveVideo(em, videoId)
  if (await isPublished(em, videoId, track.name)) return
  const { folder, work } = await openWork(deps, { videoId, names: [track.name] })
  const [encoded, mix] = [await newFile(folder, track.name), await newFile(folder, track.name)]
  const paths = { encodedPath: encoded.path, mixPath: mix.path }
  try {
    await encodeAndPublish(deps, folder, { input, source, ...paths, video, audioNames }, work)
  } finally {
    for (const file of [encoded, mix]) await file.remove()
  }
}

interface TrackToEncode extends Pick<ChunkToPublish, 'video' | 'audioNames'> {
  input: EncodeAudioInput
  source: SourceAudio
  encodedPath: string
  mixPath: string
}

async function encodeAndPublish(
  deps: ActivityDeps,
  folder: WorkFolder,
  item: TrackToEncode,
  work: MediaWork,
): Promise<void> {
  const { input, source, encodedPath: outputPath, mixPath } = item
  const { videoId, facts, track } = input
  const { normalizesLoudness } = track
  const parts = publisherOf(deps, folder, item)
  const encoded = await withSource(deps, folder, videoId, work, (from, reading) => {
    const target = { facts, track: source, outputPath, mixPath, normalizesLoudness }
    const encode = (encoding: MediaWork): Promise<EncodedAudio> =>
      timed(encodeTrack({ ...encoding, sourcePath: from.path, ...target }), {
        kind: 'audio',
        mediaSecondsOf: () => (facts.durationMs ?? 0) / 1000,
      })
    return whileEncoding(encode, () => parts.publishComplete(from, reading), reading)
  })
  // Only now it is sure that the source was read to its end.
  await parts.publishRest(encoded, work)
}

const LOOK_EVERY_MS = 500

/** Calls `publish` again and again while the encoder runs. If that fails, stops the encoder. */
async function whileEncoding<Encoded>(
  encode: (work: MediaWork) => Promise<Encoded>,
  publish: () => Promise<void>,
  work: MediaWork,
): Promise<Encoded> {
  const stop = new AbortController()
  let isEncoding = true
  const encoding = encode({ ...work, signal: AbortSignal.any([work.signal, stop.signal]) }).finally(
    () => (isEncoding = false),
  )
  try {
    while (isEncoding) {
      await Promise.race([encoding, sleep(LOOK_EVERY_MS)])
      await publish()
    }
    return await encoding
  } catch (error) {
    stop.abort()
    await encoding.catch(() => {})
    throw error
  }
}

type TrackEnd = Pick<ChunkToPublish, 'isLast' | 'loudnessOf' | 'damageOf'>

/** Publishes the parts of a track in their order. */
function publisherOf(
  deps: ActivityDeps,
  folder: WorkFolder,
  { input, source, encodedPath, video, audioNames }: TrackToEncode,
) {
  const { videoId, facts, track } = input
  const { name } = track
  const partAt = (index: number) => audioPartOf(facts.durationMs, index)
  const cutter = cutAudio(encodedPath, (index) => partAt(index).endSeconds)
  const { language, title: label, purpose } = source
  const rendition = { kind: 'audio', name, trackType: 'AUDIO', language, label, purpose } as const
  const shared = { ...rendition, video, audioNames, encoded: null, plan: { count: OPEN_COUNT } }
  let index = 0
  let madeOf: Pick<ChunkToPublish, 'sourceId' | 'sourceBytes'> = { sourceId: null, sourceBytes: 0 }

  async function publish(
    { bytes, delayTicks }: AudioFile,
    end: TrackEnd,
    work: MediaWork,
  ): Promise<void> {
    const chunk = partAt(index)
    index += 1
    const id = { videoId, name, count: OPEN_COUNT, index: chunk.index }
    if (!end.isLast && (await isChunkRecorded(deps.db.em.fork(), id))) return
    const file = await newFile(folder, name)
    try {
      await writeFile(file.path, bytes)
      const part = {
        encodedPath: file.path,
        segmentSeconds: AUDIO_SEGMENT_SECONDS,
        delayTicks,
        ...madeOf,
      }
      await publishChunk(deps, folder, { ...shared, ...part, ...end, chunk }, work)
    } finally {
      await file.remove()
    }
  }

  /** Publishes the whole track as one part, in place of recorded parts that do not fit together. */
  async function publishWhole(end: TrackEnd, work: MediaWork): Promise<void> {
    const whole = { encodedPath, chunk: WHOLE_VIDEO, plan: { count: 1 } }
    const item = { ...shared, ...madeOf, ...whole, ...end, segmentSeconds: AUDIO_SEGMENT_SECONDS }
    await publishChunk(deps, folder, item, work)
  }

  async function publishComplete(source: OpenSource | null, work: MediaWork): Promise<void> {
    if (source) madeOf = { sourceId: source.sourceId, sourceBytes: source.sizeBytes }
    for (let file = await cutter.next(); file; file = await cutter.next())
      await publish(file, { damageOf: () => 0 }, work)
  }

  return {
    publishComplete,
    async publishRest({ loudness, sound }: EncodedAudio, work: MediaWork): Promise<void> {
      await publishComplete(null, work)
      const damageOf = (): number => audioDamagedPercent(facts.durationMs, sound)
      const loudnessOf = (): TrackLoudness => loudness
      const end = { isLast: true, loudnessOf, damageOf }
      try {
        await publish(cutter.rest(), end, work)
      } catch (error) {
        if (!(error instanceof IngestRefusal) || error.code !== CHUNK_NOT_EXACT) throw error
        await publishWhole(end, work)
      }
    },
  }
}
