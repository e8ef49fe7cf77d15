import { sql } from 'kysely'
import { POSTER_REFUSAL_KEPT_DAYS, POSTER_UPLOAD_KEPT_DAYS } from '../../domain/limits.ts'
import type { PictureFormat } from '../../domain/videos/picture.ts'
import type { PosterRefusal } from '../../domain/videos/poster-pictures.ts'
import { requestOf, type EntityManager } from '../database.ts'
import { daysAgo, queries } from '../queries.ts'
import type { UploadId } from './poster-uploads.ts'

export interface NewPosterUpload {
  videoId: string
  accountId: number
  /** The file as it was sent. */
  content: Buffer
  format: PictureFormat
}

/** Inserts an upload in place of the former one of the video. Resolves to its number, which is the highest. */
export async function putPosterUpload(em: EntityManager, upload: NewPosterUpload): Promise<number> {
  const { number } = await queries(em)
    .insertInto('poster_upload')
    .values({
      ...upload,
      sizeBytes: upload.content.length,
      reason: null,
      requestId: requestOf(em),
    })
    .onConflict((conflict) =>
      conflict.column('videoId').doUpdateSet((eb) => ({
        number: eb.ref('excluded.number'),
        content: eb.ref('excluded.content'),
        format: eb.ref('excluded.format'),
        sizeBytes: eb.ref('excluded.sizeBytes'),
        requestId: eb.ref('excluded.requestId'),
        reason: null,
        createdAt: sql`now()`,
      })),
    )
    .returning('number')
    .executeTakeFirstOrThrow()
  return number
}

/** Removes an upload that waits. False if it is refused, replaced or withdrawn, or its video is deleted. */
export async function takeWaitingUpload(
  em: EntityManager,
  { videoId, number }: UploadId,
): Promise<boolean> {
  const { numDeletedRows } = await queries(em)
    .deleteFrom('poster_upload')
    .where('videoId', '=', videoId)
    .where('number', '=', number)
    .where('content', 'is not', null)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Removes the upload of a video, whether it waits or is refused. */
export async function withdrawPosterUpload(em: EntityManager, videoId: string): Promise<void> {
  await queries(em).deleteFrom('poster_upload').where('videoId', '=', videoId).execute()
}

/** Records why an upload is refused, and deletes its file. Does nothing if it does not wait any more. */
export async function refuseUpload(
  em: EntityManager,
  { videoId, number }: UploadId,
  reason: PosterRefusal,
): Promise<void> {
  await queries(em)
    .updateTable('poster_upload')
    .set({ reason, content: null })
    .where('videoId', '=', videoId)
    .where('number', '=', number)
    .where('content', 'is not', null)
    .execute()
}

/** An uploaded picture that is stored. */
export interface StoredUpload {
  sizeBytes: number
  /** Null if none could be made. */
  placeholder: string | null
}

/**
 * Makes a stored upload the poster of its video. Its address changes, its size counts in place of the former upload's,
 * and its placeholder replaces that of the upload `replaced`.
 */
export async function putUploadedPoster(
  em: EntityManager,
  { videoId, number }: UploadId,
  {
    posterName,
    replaced,
    sizeBytes,
    placeholder,
  }: StoredUpload & { posterName: string; replaced: string | null },
): Promise<void> {
  const added = JSON.stringify(placeholder === null ? {} : { [posterName]: placeholder })
  await queries(em)
    .updateTable('video')
    .set({
      posterName,
      posterVersion: sql`poster_version + 1`,
      uploadNumber: number,
      uploadBytes: sizeBytes,
      sizeBytes: sql`size_bytes - upload_bytes + ${sizeBytes}::int`,
      posterPlaceholders: sql`poster_placeholders - ${replaced ?? ''}::text || ${added}::jsonb`,
      updatedAt: sql`now()`,
    })
    .where('id', '=', videoId)
    .execute()
}

/** Gives up uploads that have waited for a day, and deletes refusals that are a month old. */
export async function expirePosterUploads(em: EntityManager): Promise<void> {
  await queries(em)
    .updateTable('poster_upload')
    .set({ reason: 'internal_error', content: null })
    .where('content', 'is not', null)
    .where('createdAt', '<', daysAgo(POSTER_UPLOAD_KEPT_DAYS))
    .execute()
  await queries(em)
    .deleteFrom('poster_upload')
    .where('createdAt', '<', daysAgo(POSTER_REFUSAL_KEPT_DAYS))
    .execute()
}
