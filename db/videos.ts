import type { Protection } from '../domain/plan.ts'
import type { EntityManager } from './database.ts'
import { Folder, Rendition, Video } from './entities/video.ts'

export interface NewVideo {
  /** 20 characters of lowercase hex. */
  id: string
  accountId: number
  title: string
  description: string
  folderId: number | null
  sourceUrl: string
  protection: Protection
  keepOriginal: boolean
  reservedBytes: number
}

/** Inserts a queued video and returns its row. */
export async function insertVideo(em: EntityManager, video: NewVideo): Promise<Video> {
  await em.insert(Video, video)
  return em.findOneOrFail(Video, { id: video.id })
}

/** The account's video, unless it was deleted; null for another account's. */
export const findVideo = (
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<Video | null> => em.findOne(Video, { id, accountId, deletedAt: null })

/** Names of the published video rungs, such as `720p`, from small to large. */
export async function findRungNames(em: EntityManager, videoId: string): Promise<string[]> {
  const rows = await em.find(Rendition, { videoId })
  return rows
    .filter(({ facts }) => facts.kind === 'video')
    .map(({ name }) => name)
    .sort((a, b) => Number.parseInt(a) - Number.parseInt(b))
}

/** True where the folder is the account's. */
export const hasFolder = async (
  em: EntityManager,
  accountId: number,
  folderId: number,
): Promise<boolean> => (await em.count(Folder, { id: folderId, accountId })) > 0

/** Makes the account's other storage-changing requests wait until this transaction has ended. */
export async function lockStorage(em: EntityManager, accountId: number): Promise<void> {
  await em.execute('select 1 from plan where account_id = ? for update', [accountId])
}
