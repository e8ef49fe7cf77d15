import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { transitionVideo } from '../commands/videos/transition-video.ts'
import type { Database } from '../db/database.ts'
import type { Video } from '../db/entities/video.ts'
import { lockStorage } from '../db/accounts.ts'
import { findPublished, putRendition } from '../db/renditions.ts'
import { lockVideoIn } from '../db/videos.ts'
import { segmentKey } from '../domain/media-paths.ts'
import { encryptionScheme, countedBytes } from '../domain/plan.ts'
import type { Rendition, TrackType } from '../domain/rendition.ts'
import { packageRendition } from '../media/package-rendition.ts'
import type { MediaWork } from '../media/run-tool.ts'
import { verifyRendition } from '../media/verify-rendition.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { checkPackagedSignalling } from './check-signalling.ts'
import { openContentKey } from './content-keys.ts'
import type { ActivityDeps } from './deps.ts'
import { videoGone } from './ingest-step.ts'
import { reserveStorage } from './storage-reservation.ts'
import type { WorkFolder } from './work-folder.ts'

export interface RenditionToPublish {
  video: Pick<Video, 'id' | 'accountId' | 'protection' | 'keepOriginal'>
  kind: 'video' | 'audio'
  name: string
  trackType: TrackType
  language: string | null
  label: string | null
  segmentSeconds: number
  sourceBytes: number
  /** The encoder's output; unencrypted, so it never leaves this machine. */
  encodedPath: string
  /** The audio renditions that must be published before the video counts as playable. */
  audioNames: string[]
}

/**
 * Encrypts and segments the encoder's output, verifies that it can be decrypted and that its DRM signalling names
 * its key, stores it and records it.
 * The video becomes playable with its first rung and all audio renditions.
 */
export async function publishRendition(
  deps: ActivityDeps,
  folder: WorkFolder,
  item: RenditionToPublish,
  work: MediaWork,
): Promise<void> {
  const { video, name } = item
  const key = await openContentKey(deps.masterKeys, deps.db.em.fork(), video.id, item.trackType)
  const outputDir = await mkdtemp(join(folder.path, `${name}-`))
  try {
    const keys = { keyIdHex: key.keyId.toString('hex'), keyHex: key.key.toString('hex') }
    const packaged = await packageRendition({
      ...work,
      inputPath: item.encodedPath,
      kind: item.kind,
      outputDir,
      firstSegment: 1,
      segmentSeconds: item.segmentSeconds,
      name,
      key: { ...keys, ivHex: key.ivHex },
      scheme: encryptionScheme(video.protection),
      trackType: item.trackType,
      language: item.language,
      label: item.label,
      pssh: key.systems.flatMap(({ psshBase64 }) => psshBase64 ?? []),
    })
    await verifyRendition({ ...work, packaged, encodedPath: item.encodedPath, key: keys })
    if (video.protection === 'multi-drm') await checkPackagedSignalling(key, packaged)
    await store(deps.storage, video.id, packaged, work)
    await record(deps.db, item, packaged.rendition)
  } finally {
    await rm(outputDir, { recursive: true, force: true })
  }
}

/** Concurrent uploads share the wait for the disk: each object is flushed before it counts as stored. */
const UPLOAD_CONCURRENCY = 16

async function store(
  storage: ObjectStorage,
  videoId: string,
  packaged: { rendition: Rendition; initPath: string; segmentPaths: string[] },
  { signal, onProgress }: MediaWork,
): Promise<void> {
  const { name } = packaged.rendition
  const files = [
    { key: segmentKey(videoId, { name }, 0), path: packaged.initPath },
    ...packaged.segmentPaths.map((path, index) => ({
      key: segmentKey(videoId, { name }, index + 1),
      path,
    })),
  ]
  const queue = files.values()
  const upload = async (): Promise<void> => {
    for (const { key, path } of queue) {
      signal.throwIfAborted()
      await storage.putFile(key, path, 'video/mp4', onProgress)
      onProgress?.()
    }
  }
  await Promise.all(Array.from({ length: UPLOAD_CONCURRENCY }, upload))
}

/** Records a rendition and counts it against the plan, in one transaction. */
async function record(
  db: Database,
  { video, audioNames, sourceBytes }: RenditionToPublish,
  rendition: Rendition,
): Promise<void> {
  const videoId = video.id
  await db.em.fork().transactional(async (em) => {
    await lockStorage(em, video.accountId)
    const status = await lockVideoIn(em, videoId, ['processing', 'playable'])
    if (status === null) throw videoGone()
    await putRendition(em, videoId, rendition)
    const published = await findPublished(em, videoId)
    const publishedBytes = published.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const keepsOriginal = video.keepOriginal
    await reserveStorage(em, video, countedBytes({ keepsOriginal, sourceBytes, publishedBytes }))
    const hasPicture = published.some(({ kind }) => kind === 'video')
    const hasSound = audioNames.every((name) => published.some((one) => one.name === name))
    if (status === 'processing' && hasPicture && hasSound)
      await transitionVideo(em, videoId, 'playable')
  })
}
