import { randomBytes } from 'node:crypto'
import type { EntityManager } from '../../db/database.ts'
import type { Upload } from '../../db/entities/upload.ts'
import { claimSourceWrite, dropSourceWrite } from '../../db/ingest/write-source-parts.ts'
import type { EndedUpload } from '../../db/uploads/uploads.ts'
import { endUpload, lockUnendedUpload, releaseUpload } from '../../db/uploads/write-uploads.ts'
import { Refusal } from '../refusal.ts'

/**
 * Cancels an upload of the account: its address opens nothing any more, its key is gone, and the request that sends it ends. What is stored
 * of it is removed, and its storage released, within minutes (`recordDiscarded`). Call it in a transaction. Refuses with `upload_not_found`, and with `upload_ended` for one that has ended.
 */
export async function cancelUpload(
  tx: EntityManager,
  accountId: number,
  id: number,
): Promise<void> {
  const upload = await cancelIfOpen(tx, accountId, id)
  if (upload === null) throw new Refusal('upload_not_found')
  if (upload === 'ended') throw new Refusal('upload_ended')
}

/** The same; leaves an upload that has ended unchanged. Returns the upload as it was; null if there is none. */
export async function cancelIfOpen(
  tx: EntityManager,
  accountId: number,
  id: number,
): Promise<Upload | 'ended' | null> {
  const upload = await lockUnendedUpload(tx, { id, accountId })
  if (upload === null || upload === 'ended') return upload
  await stopWriter(tx, upload.videoId)
  await endUpload(tx, id, 'cancelled')
  return upload
}

/** The same for an upload whose time is over. Does nothing if it has ended, or bytes have arrived meanwhile. */
export const expireUpload = (em: EntityManager, id: number): Promise<boolean> =>
  em.transactional(async (tx) => {
    const upload = await lockUnendedUpload(tx, { id, isOver: true })
    if (upload === null || upload === 'ended') return false
    await stopWriter(tx, upload.videoId)
    await endUpload(tx, id, 'expired')
    return true
  })

/** Takes the source of an upload from the process that writes it. */
const stopWriter = (tx: EntityManager, videoId: string) =>
  claimSourceWrite(tx, { videoId, token: randomBytes(8).toString('hex') })

/** Releases the storage of an ended upload, of which nothing is stored any more. */
export const recordDiscarded = (em: EntityManager, { id, videoId }: EndedUpload): Promise<void> =>
  em.transactional(async (tx) => {
    await dropSourceWrite(tx, videoId)
    await releaseUpload(tx, id)
  })
