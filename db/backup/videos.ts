import { sql } from 'kysely'
import type { ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import type { Rendition } from '../../domain/videos/rendition.ts'
import type { VideoStatus } from '../../domain/videos/video-state.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** A video that is not deleted, with everything that it has in object storage. */
export interface VideoWithMedia {
  id: string
  accountId: number
  status: VideoStatus
  renditions: Rendition[]
  /** Recorded chunks of renditions that are not published yet. */
  chunks: { name: string; facts: ChunkFacts }[]
}

const PAGE_ROWS = 200

/** Reads every video that is not deleted, by id. Each page is a unit of work that `openEm` opens. */
export async function* readVideosWithMedia(
  openEm: () => EntityManager,
): AsyncGenerator<VideoWithMedia> {
  for (let after = ''; ;) {
    const page = await readPage(openEm(), after)
    yield* page
    if (page.length < PAGE_ROWS) return
    after = page.at(-1)?.id ?? ''
  }
}

async function readPage(em: EntityManager, after: string): Promise<VideoWithMedia[]> {
  const videos = await queries(em)
    .selectFrom('video')
    .select(['id', 'accountId', 'status'])
    .where('deletedAt', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE_ROWS)
    .execute()
  if (videos.length === 0) return []
  const ids = videos.map(({ id }) => id)
  const renditions = await queries(em)
    .selectFrom('rendition')
    .select(['videoId', 'facts'])
    .where('videoId', 'in', ids)
    .orderBy('name')
    .execute()
  const chunks = await queries(em)
    .selectFrom('rendition_chunk')
    .select(['videoId', 'name', 'facts'])
    .where('videoId', 'in', ids)
    .execute()
  return videos.map((video) => ({
    ...video,
    renditions: renditions.filter((row) => row.videoId === video.id).map(({ facts }) => facts),
    chunks: chunks.filter((row) => row.videoId === video.id),
  }))
}

/** The videos that were deleted after `since`, and some that were deleted in the hour before. */
export async function findVideosDeletedSince(em: EntityManager, since: Date): Promise<string[]> {
  const rows = await queries(em)
    .selectFrom('video')
    .select('id')
    .where('deletedAt', '>=', sql<Date>`${since}::timestamptz - interval '1 hour'`)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
