import { sql } from 'kysely'
import { OPEN_UPLOADS, type UploadStatus } from '../../domain/uploads/upload.ts'
import type { OwnData } from '../../domain/videos/own-data.ts'
import type { EntityManager } from '../database.ts'
import type { Upload } from '../entities/upload.ts'
import { asJson, queries } from '../queries.ts'
import { IS_OVER } from './uploads.ts'

export type NewUpload = Pick<
  Upload,
  | 'accountId'
  | 'videoId'
  | 'tokenHash'
  | 'sealedToken'
  | 'sealedKey'
  | 'filename'
  | 'title'
  | 'description'
  | 'folderId'
  | 'keepOriginal'
  | 'allowedOrigin'
  | 'sizeBytes'
  | 'reservedBytes'
  | 'expiresInSeconds'
  | 'requestId'
> &
  Partial<OwnData>

/** Inserts an upload that waits for its first byte. */
export const insertUpload = (
  em: EntityManager,
  { metadata = {}, ...upload }: NewUpload,
): Promise<Upload> =>
  queries(em)
    .insertInto('upload')
    .values({ ...upload, metadata: asJson(metadata), status: 'waiting', endedAt: null })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Locks an upload that takes bytes until the end of the transaction; null if it has ended, or its time is over. */
export const lockOpenUpload = async (em: EntityManager, id: number): Promise<Upload | null> =>
  (await queries(em)
    .selectFrom('upload')
    .selectAll()
    .where('id', '=', id)
    .where('status', 'in', OPEN_UPLOADS)
    .where(sql<boolean>`not ${IS_OVER}`)
    .forNoKeyUpdate()
    .executeTakeFirst()) ?? null

/**
 * Locks an upload that has not ended until the end of the transaction; `ended` if it has. Null if there is none: of the account, or whose time is over, where
 * these are given.
 */
export async function lockUnendedUpload(
  em: EntityManager,
  { id, accountId, isOver = false }: { id: number; accountId?: number; isOver?: boolean },
): Promise<Upload | 'ended' | null> {
  let query = queries(em).selectFrom('upload').selectAll().where('id', '=', id).forNoKeyUpdate()
  if (accountId !== undefined) query = query.where('accountId', '=', accountId)
  if (isOver) query = query.where(IS_OVER)
  const upload = await query.executeTakeFirst()
  if (!upload) return null
  return upload.endedAt === null ? upload : 'ended'
}

/** Records that bytes arrive, and what a client now says of the file. Call it while the upload is locked. */
export async function touchUpload(
  em: EntityManager,
  id: number,
  change: Partial<Pick<Upload, 'sizeBytes' | 'reservedBytes'>> = {},
): Promise<void> {
  await queries(em)
    .updateTable('upload')
    .set({ ...change, status: 'uploading', receivedAt: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/**
 * Ends an upload: its key is gone, and its address takes no more bytes; that of a complete one still says that it is, to a client whose
 * last response was lost. The reservation of others stays until `releaseUpload`. Call it while the upload is locked.
 */
export async function endUpload(
  em: EntityManager,
  id: number,
  status: Exclude<UploadStatus, 'waiting' | 'uploading'>,
): Promise<void> {
  const isComplete = status === 'complete'
  await queries(em)
    .updateTable('upload')
    .set({
      status,
      sealedToken: null,
      sealedKey: null,
      endedAt: sql<Date>`now()`,
      ...(isComplete ? { reservedBytes: 0 } : { tokenHash: null }),
    })
    .where('id', '=', id)
    .execute()
}

/** Releases what an upload has reserved, when nothing is stored of it any more. */
export async function releaseUpload(em: EntityManager, id: number): Promise<void> {
  await queries(em).updateTable('upload').set({ reservedBytes: 0 }).where('id', '=', id).execute()
}
