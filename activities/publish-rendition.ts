import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db/database.ts'
import { lockStorage } from '../db/videos.ts'
import { countedBytes } from '../domain/storage.ts'
import type { Video } from '../db/entities/video.ts'
import { encryptionScheme } from '../domain/plan.ts'
import { initKey, segmentKey } from '../domain/media-paths.ts'
import type { Rendition, TrackType } from '../domain/rendition.ts'
import { packageRendition } from '../media/package-rendition.ts'
import type { MediaWork } from '../media/run-tool.ts'
import { verifyRendition } from '../media/verify-rendition.ts'
import { moveVideo } from '../commands/videos/transition-video.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { openContentKey } from './content-keys.ts'
import { reserveStorage } from './storage-reservation.ts'
import type { ActivityDeps } from './deps.ts'
import { videoGone } from './live-video.ts'
import type { WorkFolder } from './work-folder.ts'

export interface RenditionToPublish {
  video: Pick<Video, 'id' | 'accountId' | 'protection' | 'keepOriginal'>
  kind: 'video' | 'audio'
  name: string
  trackType: TrackType
  language: string | null
  label: string | null
  /** What the encoder made; plain, and never leaves this machine. */
  encodedPath: string
  /** The audio renditions that must be there before the video counts as playable. */
  audioNames: string[]
}

/**
 * Encrypts and segments what the encoder made, proves that decrypting gives it back, stores it and
 * records it. The video becomes playable with the first rung once its audio is there too.
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
      name,
      key: { ...keys, ivHex: key.ivHex },
      scheme: encryptionScheme(video.protection),
      trackType: item.trackType,
      language: item.language,
      label: item.label,
      pssh: key.systems.flatMap(({ psshBase64 }) => psshBase64 ?? []),
    })
    await verifyRendition({ ...work, packaged, encodedPath: item.encodedPath, key: keys })
    await store(deps.storage, video.id, packaged, work)
    const { size: sourceBytes } = await stat(folder.sourcePath)
    await record(deps.db, item, packaged.rendition, sourceBytes)
  } finally {
    await rm(outputDir, { recursive: true, force: true })
  }
}

/** Each object is flushed to disk before it counts as stored: flushes at once share their wait. */
const UPLOADS_AT_ONCE = 16

async function store(
  storage: ObjectStorage,
  videoId: string,
  packaged: { rendition: Rendition; initPath: string; segmentPaths: string[] },
  { signal, onProgress }: MediaWork,
): Promise<void> {
  const { name } = packaged.rendition
  const files = [
    { key: initKey(videoId, name), path: packaged.initPath },
    ...packaged.segmentPaths.map((path, at) => ({ key: segmentKey(videoId, name, at + 1), path })),
  ]
  const queue = files.values()
  const upload = async (): Promise<void> => {
    for (const { key, path } of queue) {
      signal.throwIfAborted()
      await storage.putFile(key, path, 'video/mp4', onProgress)
      onProgress?.()
    }
  }
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, upload))
}

/** Once a rendition is recorded it counts against the plan, in the same transaction. */
async function record(
  db: Database,
  { video, audioNames }: RenditionToPublish,
  rendition: Rendition,
  sourceBytes: number,
): Promise<void> {
  const videoId = video.id
  await db.em.fork().transactional(async (em) => {
    await lockStorage(em, video.accountId)
    const live = await em.execute<{ status: string }[]>(
      `select status from video where id = ? and deleted_at is null
       and status in ('processing', 'playable') for update`,
      [videoId],
    )
    if (live.length === 0) throw videoGone()
    await em.execute(
      `insert into rendition (video_id, name, facts) values (?, ?, ?::jsonb)
       on conflict (video_id, name) do update set facts = excluded.facts`,
      [videoId, rendition.name, JSON.stringify(rendition)],
    )
    const rows = await em.execute<{ name: string; kind: string; size: string }[]>(
      `select name, facts ->> 'kind' as kind, facts ->> 'sizeBytes' as size
       from rendition where video_id = ?`,
      [videoId],
    )
    const publishedBytes = rows.reduce((sum, { size }) => sum + Number(size), 0)
    const keepsOriginal = video.keepOriginal
    await reserveStorage(em, video, countedBytes({ keepsOriginal, sourceBytes, publishedBytes }))
    const hasPicture = rows.some(({ kind }) => kind === 'video')
    const hasSound = audioNames.every((name) => rows.some((row) => row.name === name))
    if (live[0]?.status === 'processing' && hasPicture && hasSound)
      await moveVideo(em, videoId, 'playable')
  })
}
