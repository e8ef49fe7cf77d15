import type { EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import {
  countChunks,
  findChunks,
  sumChunkBytes,
  type PlannedRendition,
} from '../../db/ingest/rendition-chunks.ts'
import { isStoredSource } from '../../db/ingest/source-keys.ts'
import { deleteChunks, insertChunk } from '../../db/ingest/write-rendition-chunks.ts'
import { findPublished, isPublished } from '../../db/videos/renditions.ts'
import { putRendition } from '../../db/videos/write-renditions.ts'
import { countedBytes } from '../../domain/accounts/plan.ts'
import type { Chunk, ChunkPlan } from '../../domain/encoding/chunks.ts'
import { isTooDamaged } from '../../domain/encoding/damage.ts'
import {
  ChunksDoNotFitError,
  joinChunks,
  type ChunkFacts,
} from '../../domain/encoding/join-chunks.ts'
import type { TrackLoudness } from '../../domain/encoding/loudness.ts'
import { CHUNK_NOT_EXACT } from '../../domain/ingest/ingest.ts'
import type { Rendition } from '../../domain/videos/rendition.ts'
import { transitionVideo } from '../videos/transition-video.ts'
import { IngestRefusal } from './ingest-refusal.ts'
import { ENCODING, lockIngest } from './lock-ingest.ts'
import { reserveStorage } from './reserve-storage.ts'

/** A chunk of a rendition whose objects are stored. */
export interface ChunkToRecord {
  video: Pick<Video, 'id' | 'accountId' | 'keepOriginal'>
  /** The name of the rendition. */
  name: string
  /** The id of the source that it was made of (`openSource`). */
  sourceId: string | null
  /** The size of the source, which counts if the account keeps it. */
  sourceBytes: number
  /** Returns how many percent of the track are damaged or missing in the source. */
  damageOf: (chunks: readonly ChunkFacts[]) => number
  /** Returns how loud a track is, with its last part. */
  loudnessOf?: (chunks: readonly ChunkFacts[]) => TrackLoudness
  plan: Pick<ChunkPlan, 'count'>
  chunk: Pick<Chunk, 'index'>
  /** Of audio, whose parts are published in their order: true for the last one. Absent if the plan says how many there are. */
  isLast?: boolean
  /** The audio renditions that must be published before the video counts as playable. */
  audioNames: string[]
}

/**
 * Records a chunk and counts it against the plan; publishes the rendition with its last chunk. The first rung and all audio
 * renditions make the video playable. Call it in a transaction. Returns false if another attempt has recorded the chunk.
 * Refuses with `video_gone`, `insufficient_storage`, `chunk_not_exact` if the chunks do not make one video, and
 * `source_damaged` if too little of the picture can be decoded.
 */
export async function recordChunk(
  tx: EntityManager,
  item: ChunkToRecord,
  facts: ChunkFacts,
): Promise<boolean> {
  const { video, name, chunk, plan, isLast, audioNames, sourceBytes } = item
  const videoId = video.id
  const status = await lockIngest(tx, videoId, ENCODING)
  if (!(await isStoredSource(tx, videoId, item.sourceId)))
    throw new Error('the source was stored again while this chunk was made of the one before')
  if (await isPublished(tx, videoId, name)) return false
  const planned = { videoId, name, count: plan.count }
  const isRecorded = await insertChunk(tx, { ...planned, index: chunk.index }, facts)
  // Audio of an earlier attempt may go on behind the last part of this one; all of it is published.
  if (!isRecorded && !isLast) return false
  if (isLast ?? (await countChunks(tx, planned)) === plan.count) await publish(tx, planned, item)
  const published = await findPublished(tx, videoId)
  const hasPicture = published.some(({ kind }) => kind === 'video')
  const hasAudio = audioNames.every((audio) => published.some((one) => one.name === audio))
  if (status === 'processing' && hasPicture && hasAudio)
    await transitionVideo(tx, videoId, 'playable')
  // Last, because other ingests and new videos of the account wait until the commit.
  await reserveStorage(tx, video, await storedBytes(tx, video, published, sourceBytes))
  return isRecorded
}

async function publish(
  tx: EntityManager,
  planned: PlannedRendition,
  { damageOf, loudnessOf }: ChunkToRecord,
): Promise<void> {
  const { videoId, name } = planned
  const chunks = await findChunks(tx, planned)
  const rendition = joined(chunks)
  const percent = damageOf(chunks)
  if (rendition.kind === 'video' && isTooDamaged(percent)) throw tooDamaged(percent)
  const damage = percent > 0 && { damagedPercent: percent }
  const loudness = loudnessOf && { loudness: loudnessOf(chunks) }
  await putRendition(tx, videoId, { ...rendition, ...loudness, ...damage })
  await deleteChunks(tx, videoId, name)
}

const tooDamaged = (percent: number): IngestRefusal =>
  new IngestRefusal(
    'source_damaged',
    `The file is damaged: ${percent} percent of its picture cannot be decoded or are missing.`,
  )

function joined(chunks: ChunkFacts[]): Rendition {
  try {
    return joinChunks(chunks)
  } catch (error) {
    if (!(error instanceof ChunksDoNotFitError)) throw error
    throw new IngestRefusal(CHUNK_NOT_EXACT, 'The parts of the video do not fit together.', {
      cause: error,
    })
  }
}

async function storedBytes(
  tx: EntityManager,
  { id, keepOriginal }: ChunkToRecord['video'],
  published: Rendition[],
  sourceBytes: number,
): Promise<number> {
  const wholeBytes = published.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const publishedBytes = wholeBytes + (await sumChunkBytes(tx, id))
  return countedBytes({ keepsOriginal: keepOriginal, sourceBytes, publishedBytes })
}
