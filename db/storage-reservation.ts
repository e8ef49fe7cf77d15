import type { EntityManager } from './database.ts'
import { lockStorage } from './locks.ts'

/** What a video that is worked on has reserved of its account's plan (ADR 0017). */
export interface StorageReservation {
  reservedBytes: number
  /** What it may reserve at most beside the account's other videos; Infinity where nothing is limited. */
  roomBytes: number
}

/**
 * Reads what a video has reserved. The limit is that of the plan, also where the plan has ended since the
 * video was accepted. Null where the video is ready, failed or deleted.
 */
export async function readReservation(
  em: EntityManager,
  videoId: string,
): Promise<StorageReservation | null> {
  const [row] = await em.execute<{ held: string; limit: string | null; others: string }[]>(
    `select v.reserved_bytes as held,
       (select p.storage_limit_bytes from plan p where p.account_id = v.account_id) as limit,
       (select coalesce(sum(o.size_bytes + o.reserved_bytes), 0)::bigint from video o
         where o.account_id = v.account_id and o.id <> v.id and o.deleted_at is null) as others
     from video v where v.id = ? and ${IS_WORKED_ON}`,
    [videoId],
  )
  if (!row) return null
  const roomBytes = row.limit === null ? Infinity : Number(row.limit) - Number(row.others)
  return { reservedBytes: Number(row.held), roomBytes }
}

const IS_WORKED_ON = `deleted_at is null and status in ('queued', 'processing', 'playable')`

/**
 * Reserves `neededBytes` for a video in all, and up to `wantedBytes` where the plan has that room.
 * Resolves to the bytes that are reserved now, never fewer than before; `refused` where the plan has
 * no room for what is needed, `gone` where the video is not worked on any more. A queued video that
 * is refused gives back all that it has reserved: of several downloads that do not fit beside each
 * other the rest can go on.
 * Call it in a transaction that has not locked the video's row yet: the plan's row stays locked to
 * its end, so that no other video takes the same room.
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
  const rows = await tx.execute<unknown[]>(
    `update video set reserved_bytes = ? where id = ? and ${IS_WORKED_ON} returning 1`,
    [reservedBytes, video.id],
  )
  return rows.length > 0 ? reservedBytes : 'gone'
}

/** Leaves a queued video `bytes` at most; later its reservation covers renditions too, and stays. */
export async function shrinkReservation(
  em: EntityManager,
  videoId: string,
  bytes: number,
): Promise<void> {
  await em.execute(
    `update video set reserved_bytes = least(reserved_bytes, ?::bigint)
     where id = ? and deleted_at is null and status = 'queued'`,
    [bytes, videoId],
  )
}

/** Gives back what a video has reserved; what a ready one stores stays counted. */
export async function releaseReservation(em: EntityManager, videoId: string): Promise<void> {
  await em.execute('update video set reserved_bytes = 0 where id = ?', [videoId])
}
