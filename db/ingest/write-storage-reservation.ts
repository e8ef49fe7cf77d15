import { sql } from 'kysely'
import { lockStorage } from '../accounts/accounts.ts'
import type { EntityManager } from '../database.ts'
import { Video } from '../entities/video.ts'
import { queries } from '../queries.ts'
import { IN_PROGRESS, readReservation } from './storage-reservation.ts'

/**
 * Reserves `neededBytes` for a video in total, and up to `wantedBytes` if the plan has that room. Resolves to
 * the bytes now reserved, never fewer than before; to `refused` if the plan has no room for `neededBytes`; to
 * `gone` if the video is no longer in progress. A refused queued video releases its whole reservation, so that
 * of several downloads that do not fit together the others can continue.
 * Call it in a transaction that has not locked the video's row yet: it locks the plan's row until the end of
 * the transaction, so that no other video takes the same room.
 */
export async function growReservation(
  tx: EntityManager,
  video: { id: string; accountId: number },
  neededBytes: number,
  wantedBytes = neededBytes,
): Promise<number | 'refused' | 'gone'> {
  await lockStorage(tx, video.accountId)
  const before = await readReservation(tx, video.id)
  if (!before) return 'gone'
  const reservedBytes = Math.max(before.reservedBytes, Math.min(wantedBytes, before.roomBytes))
  if (reservedBytes < neededBytes) {
    await shrinkReservation(tx, video.id, 0)
    return 'refused'
  }
  const inProgress = { id: video.id, deletedAt: null, status: { $in: IN_PROGRESS } }
  const updated = await tx.nativeUpdate(Video, inProgress, { reservedBytes })
  return updated > 0 ? reservedBytes : 'gone'
}

/** Limits the reservation of a queued video to `bytes`. Does nothing later, when it also covers renditions. */
export async function shrinkReservation(
  em: EntityManager,
  videoId: string,
  bytes: number,
): Promise<void> {
  await queries(em)
    .updateTable('video')
    .set({ reservedBytes: sql<number>`least(reserved_bytes, ${bytes}::bigint)` })
    .where('id', '=', videoId)
    .where('deletedAt', 'is', null)
    .where('status', '=', 'queued')
    .execute()
}

/** Releases the reservation of a video; the stored bytes of a ready video still count. */
export async function releaseReservation(em: EntityManager, videoId: string): Promise<void> {
  await em.nativeUpdate(Video, { id: videoId }, { reservedBytes: 0 })
}
