import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import pLimit from 'p-limit'
import { IngestRefusal, isVideoGone } from '../../commands/ingest/ingest-refusal.ts'
import { recordChunk, type ChunkToRecord } from '../../commands/ingest/record-chunk.ts'
import type { Video } from '../../db/entities/video.ts'
import { encryptionScheme } from '../../domain/accounts/plan.ts'
import type { AudioPurpose } from '../../domain/encoding/audio-purpose.ts'
import type { Chunk, EncodedChunk } from '../../domain/encoding/chunks.ts'
import { ChunksDoNotFitError, type ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import { partPrefix } from '../../domain/videos/media-paths.ts'
import type { TrackType } from '../../domain/videos/rendition.ts'
import { packageRendition, type PackagedRendition } from '../../media/package/package-rendition.ts'
import { verifyRendition } from '../../media/package/verify-rendition.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import { publishedChunks, publishFailures } from '../../metrics/ingest.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'
import type { ActivityDeps } from '../deps.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'
import { checkPackagedSignalling } from './check-signalling.ts'
import { openContentKey } from './content-keys.ts'

export interface ChunkToPublish extends ChunkToRecord {
  video: Pick<Video, 'id' | 'accountId' | 'protection' | 'keepOriginal'>
  kind: 'video' | 'audio'
  trackType: TrackType
  language: string | null
  label: string | null
  /** Of audio that has one. */
  purpose?: AudioPurpose | undefined
  segmentSeconds: number
  /** Of audio (`media/encode/cut-audio.ts`). */
  delayTicks?: number
  /** The encoder's output; unencrypted, so it never leaves this machine. */
  encodedPath: string
  /** What the encoder reported; null for audio. */
  encoded: EncodedChunk | null
  /** Of a piece of audio that is encoded with a chunk of the picture. */
  sound?: ChunkFacts['sound']
  chunk: Pick<Chunk, 'index' | 'firstSegment'>
  /** What must be stored before it: once a chunk is recorded, no attempt makes it again. */
  storeAfter?: Promise<void>
}

/**
 * Encrypts and segments the encoder's output, verifies that it can be decrypted and that its DRM signalling names
 * its key, stores it and records it, as `recordChunk` does, with its refusals.
 *
 * Each attempt stores under a token of its own, and only the recorded attempt counts. If two attempts run at the same
 * time, a viewer therefore never gets segments of both.
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
  if (!(error instanceof IngestRefusal && error.cause instanceof ChunksDoNotFitError)) return
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
    await item.storeAfter
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
  const paths = [...(isFirst ? [initPath] : []), ...segmentPaths]
  const limit = pLimit(UPLOAD_CONCURRENCY)
  const upload = async (path: string): Promise<void> => {
    signal.throwIfAborted()
    await storage.putFile(prefix + basename(path), path, 'video/mp4', onProgress)
    onProgress?.()
  }
  // No upload may still run when the objects of a failed attempt are removed.
  const uploads = await Promise.allSettled(paths.map((path) => limit(upload, path)))
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
    await db.em.fork().transactional(async (tx) => {
      isUsed = await recordChunk(tx, item, facts)
    })
  } catch (error) {
    // The error counts. A retry's objects have another prefix, and `finishVideo` removes what is left.
    if (!isUsed) await remove().catch(() => {})
    throw error
  }
  if (!isUsed) await remove()
}
