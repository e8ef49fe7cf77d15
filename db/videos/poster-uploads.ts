import { sql } from 'kysely'
import type { PictureFormat } from '../../domain/videos/picture.ts'
import type { PosterRefusal } from '../../domain/videos/poster-pictures.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** An upload of a video, by its number. */
export interface UploadId {
  videoId: string
  number: number
}

/** How many uploads of an account wait, without that of one video. */
export async function countWaitingUploads(
  em: EntityManager,
  accountId: number,
  exceptVideoId: string,
): Promise<number> {
  const { count } = await queries(em)
    .selectFrom('poster_upload')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('accountId', '=', accountId)
    .where('videoId', '<>', exceptVideoId)
    .where('content', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

/** The last upload of a video while it waits or is refused; without its file. */
export interface PosterUploadFacts {
  number: number
  format: PictureFormat
  sizeBytes: number
  /** Null while it waits. */
  reason: PosterRefusal | null
}

/** Finds the upload of a video that waits or was refused; null if the last one is stored, withdrawn, or there was none. */
export async function findPosterUpload(
  em: EntityManager,
  videoId: string,
): Promise<PosterUploadFacts | null> {
  const row = await queries(em)
    .selectFrom('poster_upload')
    .select(['number', 'format', 'sizeBytes', 'reason'])
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  return row ?? null
}

/** The file of an upload that waits; null if it is stored, refused, replaced or withdrawn, or its video is deleted. */
export async function findWaitingUpload(
  em: EntityManager,
  { videoId, number }: UploadId,
): Promise<{ content: Uint8Array; format: PictureFormat } | null> {
  const row = await queries(em)
    .selectFrom('poster_upload')
    .select(['content', 'format'])
    .where('videoId', '=', videoId)
    .where('number', '=', number)
    .executeTakeFirst()
  return row?.content ? { content: row.content, format: row.format } : null
}
