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
 * Call it at the end of a transaction: if the video needs more than it has, it locks the row of a plan with a limit after the
 * video's until the end of the transaction, so that no other video takes the same room.
 */
export async function growReservation(
  tx: EntityManager,
  video: { id: string; accountId: number },
  neededBytes: number,
  wantedBytes = neededBytes,
): Promise<number | 'refused' | 'gone'> {
  const heldBytes = await lockReservation(tx, video.id)
  if (heldBytes === null) return 'gone'
  // What the video has reserved is its own: it then needs no lock of the plan.
  if (heldBytes >= Math.max(neededBytes, wantedBytes)) return heldBytes
  await lockStorage(tx, video.accountId)
  const before = await readReservation(tx, video.id)
  if (!before) return 'gone'
  const reservedBytes = Math.max(before.reservedBytes, Math.min(wantedBytes, before.roomBytes))
  if (reservedBytes < neededBytes) {
    await shrinkReservation(tx, video.id, 0)
    return 'refused'
  }
  await tx.nativeUpdate(Video, { id: video.id }, { reservedBytes })
  return reservedBytes
}

/** Locks a video in progress; returns what it has reserved, or null if it is not in progress. */
async function lockReservation(tx: EntityManager, videoId: string): Promise<number | null> {
  const row = await queries(tx)
    .selectFrom('video')
    .select('reservedBytes')
    .where('id', '=', videoId)
    .where('deletedAt', 'is', null)
    .where('status', 'in', IN_PROGRESS)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ? row.reservedBytes : null
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
