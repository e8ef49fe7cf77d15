import type { Protection } from '../domain/plan.ts'
import type { VideoStatus } from '../domain/video-state.ts'
import type { EntityManager } from './database.ts'
import { Video } from './entities/video.ts'
import { findPage } from './page.ts'
import type { Page, PageRead, PageRequest } from './page.ts'

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
  /** The request that creates it, if one does. */
  requestId?: string | null
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

/**
 * The same, locked to the end of the transaction: what is attached to one video changes one after
 * another, and not beside its deletion.
 */
export async function lockVideo(
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<Video | null> {
  await em.execute('select 1 from video where id = ? and account_id = ? for no key update', [
    id,
    accountId,
  ])
  return findVideo(em, accountId, id)
}

/** A video and what other tables tell of it. */
export interface VideoDetails {
  video: Video
  /** The short sides of the published rungs in pixels, from small to large. */
  resolutions: number[]
  captionCount: number
  chapterCount: number
  momentCount: number
}

/** The account's video with its details, unless it was deleted. */
export async function findVideoDetails(
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<VideoDetails | null> {
  const video = await findVideo(em, accountId, id)
  return video ? ((await withDetails(em, [video]))[0] ?? null) : null
}

export interface VideoFilter {
  accountId: number
  status?: VideoStatus | undefined
  folderId?: number | undefined
}

/** A page of the account's videos, newest first. Null where the cursor is no video of the account. */
export async function listVideos(
  em: EntityManager,
  filter: VideoFilter,
  request: PageRequest<string>,
): Promise<Page<VideoDetails> | null> {
  const cursor = request.startingAfter ?? request.endingBefore
  // A video that was deleted since the last page still says where the next one begins.
  if (cursor !== undefined && !(await em.count(Video, { id: cursor, accountId: filter.accountId })))
    return null
  const page = await findPage(request, (read) => findIds(em, filter, read))
  const videos = await em.find(Video, { id: { $in: page.rows } })
  const byId = new Map(videos.map((video) => [video.id, video]))
  const sorted = page.rows.flatMap((id) => byId.get(id) ?? [])
  return { rows: await withDetails(em, sorted), hasMore: page.hasMore }
}

async function findIds(
  em: EntityManager,
  { accountId, status, folderId }: VideoFilter,
  { direction, cursor, limit }: PageRead<string>,
): Promise<string[]> {
  const order = direction === 'older' ? 'desc' : 'asc'
  const conditions: [string, unknown][] = [['account_id = ?', accountId]]
  if (status !== undefined) conditions.push(['status = ?', status])
  if (folderId !== undefined) conditions.push(['folder_id = ?', folderId])
  if (cursor !== undefined)
    conditions.push([
      `(created_at, id) ${direction === 'older' ? '<' : '>'}
         (select c.created_at, c.id from video c where c.id = ?)`,
      cursor,
    ])
  const rows = await em.execute<{ id: string }[]>(
    `select id from video where deleted_at is null and ${conditions.map(([sql]) => sql).join(' and ')}
     order by created_at ${order}, id ${order} limit ?`,
    [...conditions.map(([, value]) => value), limit],
  )
  return rows.map(({ id }) => id)
}

/** Adds to each video what other tables hold about it. */
export async function withDetails(em: EntityManager, videos: Video[]): Promise<VideoDetails[]> {
  if (videos.length === 0) return []
  const rows = await em.execute<(Omit<VideoDetails, 'video'> & { id: string })[]>(
    `select v.id,
       array(select substring(r.name from '^[0-9]+')::int from rendition r
         where r.video_id = v.id and r.facts ->> 'kind' = 'video' order by 1) as resolutions,
       (select count(*) from caption c where c.video_id = v.id)::int as "captionCount",
       (select count(*) from chapter c where c.video_id = v.id)::int as "chapterCount",
       (select count(*) from moment m where m.video_id = v.id)::int as "momentCount"
     from video v where v.id = any(?::text[])`,
    [`{${videos.map(({ id }) => id).join(',')}}`],
  )
  const byId = new Map(rows.map(({ id, ...details }) => [id, details]))
  const none = { resolutions: [], captionCount: 0, chapterCount: 0, momentCount: 0 }
  return videos.map((video) => ({ video, ...(byId.get(video.id) ?? none) }))
}

/** What an integrator may change of a video; what is absent stays. */
export interface VideoEdit {
  title?: string | undefined
  description?: string | undefined
  folderId?: number | null | undefined
}

/** Changes a video; false where the account has none of this id. Fails where the folder was deleted meanwhile. */
export async function updateVideo(
  em: EntityManager,
  accountId: number,
  id: string,
  edit: VideoEdit,
): Promise<boolean> {
  const changed = Object.entries(edit).filter(([, value]) => value !== undefined)
  const data = { ...Object.fromEntries(changed), updatedAt: new Date() }
  return (await em.nativeUpdate(Video, { id, accountId, deletedAt: null }, data)) > 0
}

/** Makes the account's other storage-changing requests wait until this transaction has ended. */
export async function lockStorage(em: EntityManager, accountId: number): Promise<void> {
  await em.execute('select 1 from plan where account_id = ? for update', [accountId])
}
