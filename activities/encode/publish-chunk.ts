import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { transitionVideo } from '../../commands/videos/transition-video.ts'
import { lockStorage } from '../../db/accounts/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import {
  countChunks,
  deleteChunks,
  findChunks,
  insertChunk,
  sumChunkBytes,
} from '../../db/ingest/rendition-chunks.ts'
import type { PlannedRendition } from '../../db/ingest/rendition-chunks.ts'
import { findPublished, isPublished, putRendition } from '../../db/videos/renditions.ts'
import { isStoredSource } from '../../db/ingest/source-keys.ts'
import { lockVideoIn } from '../../db/videos/videos.ts'
import type { AudioPurpose } from '../../domain/encoding/audio-purpose.ts'
import type { Chunk, ChunkPlan, EncodedChunk } from '../../domain/encoding/chunks.ts'
import { isTooDamaged } from '../../domain/encoding/damage.ts'
import { ChunksDoNotFitError, joinChunks } from '../../domain/encoding/join-chunks.ts'
import type { ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import type { TrackLoudness } from '../../domain/encoding/loudness.ts'
import { partPrefix } from '../../domain/videos/media-paths.ts'
import { encryptionScheme, countedBytes } from '../../domain/accounts/plan.ts'
import type { Rendition, TrackType } from '../../domain/videos/rendition.ts'
import { MediaError } from '../../media/media-error.ts'
import { packageRendition } from '../../media/package/package-rendition.ts'
import type { PackagedRendition } from '../../media/package/package-rendition.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import { verifyRendition } from '../../media/package/verify-rendition.ts'
import { publishFailures, publishedChunks } from '../../metrics/ingest.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'
import { checkPackagedSignalling } from './check-signalling.ts'
import { openContentKey } from './content-keys.ts'
import type { ActivityDeps } from '../deps.ts'
import { isVideoGone, videoGone } from '../ingest/ingest-step.ts'
import { reserveStorage } from '../download/storage-reservation.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'

export interface ChunkToPublish {
  video: Pick<Video, 'id' | 'accountId' | 'protection' | 'keepOriginal'>
  kind: 'video' | 'audio'
  name: string
  trackType: TrackType
  language: string | null
  label: string | null
  /** Of audio that has one. */
  purpose?: AudioPurpose | undefined
  segmentSeconds: number
  /** Of audio (`media/encode/cut-sound.ts`). */
  delayTicks?: number
  /** The encoder's output; unencrypted, so it never leaves this machine. */
  encodedPath: string
  /** The id of the source that it was made of (`openSource`). */
  sourceId: string | null
  /** The size of the source, which counts if the account keeps it. */
  sourceBytes: number
  /** What the encoder reported; null for audio. */
  encoded: EncodedChunk | null
  /** Returns how many percent of the track are damaged or missing in the source. */
  damageOf: (chunks: readonly ChunkFacts[]) => number
  /** Returns how loud a track is, with its last part. */
  loudnessOf?: (chunks: readonly ChunkFacts[]) => TrackLoudness
  /** Of a piece of audio that is encoded with a chunk of the picture. */
  sound?: ChunkFacts['sound']
  plan: Pick<ChunkPlan, 'count'>
  chunk: Pick<Chunk, 'index' | 'firstSegment'>
  /** Of audio, whose parts are published in their order: true for the last one. Absent if the plan says how many there are. */
  isLast?: boolean
  /** The audio renditions that must be published before the video counts as playable. */
  audioNames: string[]
}

/**
 * Encrypts and segments the encoder's output, verifies that it can be decrypted and that its DRM signalling names
 * its key, stores it and records it. The last recorded chunk publishes its rendition. The video becomes playable with
 * its first rung and all audio renditions.
 *
 * Each attempt stores under a token of its own, and only the recorded attempt counts. If two attempts run at the same
 * time, a viewer therefore never gets segments of both. Throws MediaError `chunk_not_exact` if the chunks of the
 * rendition do not make one video, and `source_damaged` if too little of the picture can be decoded.
 */
export async function publishChunk(
  deps: ActivityDeps,
  folder: WorkFolder,
  item: ChunkToPublish,
  work: MediaWork,
): Promise<void> {
  try {
    await publishPart(deps, folder, item, work)
    publishedChunks.inc()
  } catch (error) {
    // A cancelled activity, or a deleted video, is no failure.
    if (!work.signal.aborted && !isVideoGone(error)) publishFailures.inc()
    logFault(deps, item, error)
    throw error
  }
}

/** Says what does not fit: the integrator only learns that the video is encoded whole. */
function logFault({ logger }: ActivityDeps, { video, name }: ChunkToPublish, error: unknown): void {
  if (!(error instanceof MediaError && error.cause instanceof ChunksDoNotFitError)) return
  const { code, cause } = error
  logger.warn(
    { videoId: video.id, rendition: name, code, ...cause.fault },
    'the chunks of a rendition do not fit together',
  )
}

async function publishPart(
  deps: ActivityDeps,
  folder: WorkFolder,
  item: ChunkToPublish,
  work: MediaWork,
): Promise<void> {
  const { video, name, chunk } = item
  const outputDir = await mkdtemp(join(folder.path, `${name}-`))
  const token = randomBytes(4).toString('hex')
  const prefix = partPrefix(video.id, name, token)
  try {
    const packaged = await encrypt(deps, item, outputDir, work)
    await store(deps.storage, prefix, { packaged, isFirst: chunk.index === 0 }, work)
    await recordOrRemove(deps, item, factsOf(item, packaged, token), () =>
      deps.storage.deletePrefix(prefix, work.onProgress),
    )
  } finally {
    await rm(outputDir, { recursive: true, force: true })
  }
}

async function encrypt(
  { masterKeys, db }: ActivityDeps,
  { video, encodedPath, kind, name, trackType, language, label, purpose, ...item }: ChunkToPublish,
  outputDir: string,
  work: MediaWork,
): Promise<PackagedRendition> {
  const key = await openContentKey(masterKeys, db.em.fork(), video.id, trackType)
  const keys = { keyIdHex: key.keyId.toString('hex'), keyHex: key.key.toString('hex') }
  const packaged = await packageRendition({
    ...work,
    kind,
    name,
    trackType,
    language,
    label,
    purpose,
    outputDir,
    inputPath: encodedPath,
    firstSegment: item.chunk.firstSegment,
    segmentSeconds: item.segmentSeconds,
    delayTicks: item.delayTicks,
    key: { ...keys, ivHex: key.ivHex },
    scheme: encryptionScheme(video.protection),
    pssh: key.systems.flatMap(({ psshBase64 }) => psshBase64 ?? []),
  })
  await verifyRendition({ ...work, packaged, encodedPath, key: keys })
  if (video.protection === 'multi-drm') await checkPackagedSignalling(key, packaged)
  return packaged
}

/** Concurrent uploads share the wait for the disk: each object is flushed before it counts as stored. */
const UPLOAD_CONCURRENCY = 16

/** Stores the segments; the initialisation segment only with the first chunk. */
async function store(
  storage: ObjectStorage,
  prefix: string,
  { packaged, isFirst }: { packaged: PackagedRendition; isFirst: boolean },
  { signal, onProgress }: MediaWork,
): Promise<void> {
  const { initPath, segmentPaths } = packaged
  const queue = [...(isFirst ? [initPath] : []), ...segmentPaths].values()
  const upload = async (): Promise<void> => {
    for (const path of queue) {
      signal.throwIfAborted()
      await storage.putFile(prefix + basename(path), path, 'video/mp4', onProgress)
      onProgress?.()
    }
  }
  // No upload may still run when the objects of a failed attempt are removed.
  const uploads = await Promise.allSettled(Array.from({ length: UPLOAD_CONCURRENCY }, upload))
  const failed = uploads.find((one) => one.status === 'rejected')
  if (!failed) return
  // `finishVideo` removes what this leaves.
  await storage.deletePrefix(prefix).catch(() => {})
  throw failed.reason
}

function factsOf(
  { chunk, encoded, sound }: ChunkToPublish,
  { rendition, startTicks, initHash }: PackagedRendition,
  token: string,
): ChunkFacts {
  const { index, firstSegment } = chunk
  const mediaBytes = rendition.segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const sizeBytes = index === 0 ? rendition.sizeBytes : mediaBytes
  return {
    token,
    firstSegment,
    startTicks,
    initHash,
    encoded,
    ...(sound && { sound }),
    rendition: { ...rendition, sizeBytes },
  }
}

/**
 * Records a chunk in a transaction. Calls `remove` if its objects will not be used: another attempt has recorded the
 * chunk, or this one fails before its commit is sent, such as for a video that has ended. A failure of the commit may
 * hide its success.
 */
async function recordOrRemove(
  { db }: ActivityDeps,
  item: ChunkToPublish,
  facts: ChunkFacts,
  remove: () => Promise<unknown>,
): Promise<void> {
  let isUsed = false
  try {
    await db.em.fork().transactional(async (em) => {
      isUsed = await record(em, item, facts)
    })
  } catch (error) {
    // The error counts. A retry's objects have another prefix, and `finishVideo` removes what is left.
    if (!isUsed) await remove().catch(() => {})
    throw error
  }
  if (!isUsed) await remove()
}

/**
 * Records a chunk and counts it against the plan; publishes the rendition with its last chunk. Returns false if
 * another attempt has recorded the chunk.
 */
async function record(
  em: EntityManager,
  item: ChunkToPublish,
  facts: ChunkFacts,
): Promise<boolean> {
  const { video, name, chunk, plan, isLast, audioNames, sourceBytes } = item
  const videoId = video.id
  await lockStorage(em, video.accountId)
  const status = await lockVideoIn(em, videoId, ['processing', 'playable'])
  if (status === null) throw videoGone()
  if (!(await isStoredSource(em, videoId, item.sourceId)))
    throw new Error('the source was stored again while this chunk was made of the one before')
  if (await isPublished(em, videoId, name)) return false
  const planned = { videoId, name, count: plan.count }
  const isRecorded = await insertChunk(em, { ...planned, index: chunk.index }, facts)
  // Audio of an earlier attempt may go on behind the last part of this one; all of it is published.
  if (!isRecorded && !isLast) return false
  if (isLast ?? (await countChunks(em, planned)) === plan.count) await publish(em, planned, item)
  const published = await findPublished(em, videoId)
  await reserveStorage(em, video, await storedBytes(em, video, published, sourceBytes))
  const hasPicture = published.some(({ kind }) => kind === 'video')
  const hasSound = audioNames.every((audio) => published.some((one) => one.name === audio))
  if (status === 'processing' && hasPicture && hasSound)
    await transitionVideo(em, videoId, 'playable')
  return isRecorded
}

async function publish(
  em: EntityManager,
  planned: PlannedRendition,
  { damageOf, loudnessOf }: ChunkToPublish,
): Promise<void> {
  const { videoId, name } = planned
  const chunks = await findChunks(em, planned)
  const rendition = joined(chunks)
  const percent = damageOf(chunks)
  if (rendition.kind === 'video' && isTooDamaged(percent)) throw tooDamaged(percent)
  const damage = percent > 0 && { damagedPercent: percent }
  const loudness = loudnessOf && { loudness: loudnessOf(chunks) }
  await putRendition(em, videoId, { ...rendition, ...loudness, ...damage })
  await deleteChunks(em, videoId, name)
}

const tooDamaged = (percent: number): MediaError =>
  new MediaError(
    'source_damaged',
    `The file is damaged: ${percent} percent of its picture cannot be decoded or are missing.`,
  )

function joined(chunks: ChunkFacts[]): Rendition {
  try {
    return joinChunks(chunks)
  } catch (error) {
    if (!(error instanceof ChunksDoNotFitError)) throw error
    throw new MediaError('chunk_not_exact', 'The parts of the video do not fit together.', {
      cause: error,
    })
  }
}

async function storedBytes(
  em: EntityManager,
  { id, keepOriginal }: ChunkToPublish['video'],
  published: Rendition[],
  sourceBytes: number,
): Promise<number> {
  const wholeBytes = published.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const publishedBytes = wholeBytes + (await sumChunkBytes(em, id))
  return countedBytes({ keepsOriginal: keepOriginal, sourceBytes, publishedBytes })
}
