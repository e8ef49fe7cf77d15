import { randomBytes } from 'node:crypto'
import { isOverLimit, lockStorage } from '../../db/accounts/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Upload } from '../../db/entities/upload.ts'
import { SourceWriteLostError, type SourceWrite } from '../../db/ingest/source-writes.ts'
import { insertSourceKey, putSourceId } from '../../db/ingest/write-source-keys.ts'
import {
  claimSourceWrite,
  endSourceWrite,
  type WriterOf,
} from '../../db/ingest/write-source-parts.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'
import { findUpload } from '../../db/uploads/uploads.ts'
import { endUpload, lockOpenUpload, touchUpload } from '../../db/uploads/write-uploads.ts'
import { insertVideo } from '../../db/videos/write-videos.ts'
import { SOURCE_MAX_BYTES } from '../../domain/limits.ts'
import { Refusal } from '../refusal.ts'
import { requirePlan } from '../videos/check-link.ts'

/** The upload whose bytes are written. */
type Written = Pick<Upload, 'id' | 'accountId' | 'videoId'>

/**
 * Makes the caller the only writer of an upload, and returns what the writer before has recorded. Of one that `isWhole` no byte arrives: its
 * time goes on. Throws a SourceWriteLostError if the upload has ended or expired.
 */
export const claimUpload = (
  em: EntityManager,
  { id, videoId }: Written,
  isWhole = false,
): Promise<{ by: WriterOf; row: SourceWrite }> => {
  const by = { videoId, token: randomBytes(8).toString('hex') }
  return em.transactional(async (tx) => {
    await requireOpen(tx, id)
    if (!isWhole) await touchUpload(tx, id)
    return { by, row: await claimSourceWrite(tx, by) }
  })
}

/**
 * Records how many bytes a file has that began without a size, and reserves its storage. Refuses with `source_too_large`,
 * `insufficient_storage`, and `upload_size_mismatch` if more is stored or another request has named another size; throws a
 * SourceWriteLostError if the upload has ended.
 */
export const declareUploadSize = (
  em: EntityManager,
  { id, accountId }: Written,
  sizeBytes: number,
): Promise<void> =>
  em.transactional(async (tx) => {
    if (sizeBytes > SOURCE_MAX_BYTES) throw new Refusal('source_too_large')
    const { sizeBytes: named } = await requireOpen(tx, id)
    // The storage of what has arrived stays reserved.
    const storedBytes = (await findUpload(tx, accountId, id))?.offsetBytes ?? 0
    if ((named ?? sizeBytes) !== sizeBytes || sizeBytes < storedBytes)
      throw new Refusal('upload_size_mismatch')
    await touchUpload(tx, id, { sizeBytes, reservedBytes: sizeBytes })
    await requireRoom(tx, accountId)
  })

/**
 * Records that bytes arrive. Reserves storage for `neededBytes` of a file whose size is not known. Refuses with `source_too_large`
 * and `insufficient_storage`; throws a SourceWriteLostError if the upload has ended.
 */
export const reserveUpload = (
  em: EntityManager,
  { id, accountId }: Written,
  neededBytes: number,
): Promise<void> =>
  em.transactional(async (tx) => {
    if (neededBytes > SOURCE_MAX_BYTES) throw new Refusal('source_too_large')
    const { reservedBytes } = await requireOpen(tx, id)
    await touchUpload(tx, id, { reservedBytes: Math.max(reservedBytes, neededBytes) })
    if (neededBytes > reservedBytes) await requireRoom(tx, accountId)
  })

/**
 * Makes a video of an upload that is stored whole: its row, its key, the end of the upload and the request of its workflow in one
 * transaction. Throws a SourceWriteLostError if `by` is no longer the writer or the upload has ended; refuses with `no_active_plan` and `drm_provider_not_configured`.
 */
export const completeUpload = (
  em: EntityManager,
  { id, accountId, videoId }: Written,
  by: WriterOf,
  { sizeBytes, sourceId }: { sizeBytes: number; sourceId: string },
  hasDrmProvider: boolean,
): Promise<void> =>
  em.transactional(async (tx) => {
    const { protection } = await requirePlan(tx, { accountId, hasDrmProvider })
    const { sealedKey, ...upload } = await requireOpen(tx, id)
    if (sealedKey === null) throw new Error('an open upload has no key')
    await endSourceWrite(tx, by)
    await insertVideo(tx, {
      id: videoId,
      accountId,
      title: upload.title,
      description: upload.description,
      folderId: upload.folderId,
      externalId: upload.externalId,
      tags: upload.tags,
      metadata: upload.metadata,
      keepOriginal: upload.keepOriginal,
      requestId: upload.requestId,
      sourceUrl: '',
      protection,
      reservedBytes: sizeBytes,
    })
    await insertSourceKey(tx, { videoId, sealedKey })
    await putSourceId(tx, videoId, sourceId)
    await touchUpload(tx, id, { sizeBytes })
    await endUpload(tx, id, 'complete')
    await requestWorkflows(tx, [{ command: 'ingest-video', subjectId: videoId, accountId }])
  })

async function requireOpen(tx: EntityManager, id: number): Promise<Upload> {
  const upload = await lockOpenUpload(tx, id)
  if (!upload) throw new SourceWriteLostError('the upload has ended')
  return upload
}

async function requireRoom(tx: EntityManager, accountId: number): Promise<void> {
  await lockStorage(tx, accountId)
  if (await isOverLimit(tx, accountId)) throw new Refusal('insufficient_storage')
}
