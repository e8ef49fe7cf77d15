import { sql } from 'kysely'
import type { VideoStatus } from '../../domain/videos/video-state.ts'
import { takenBytes } from '../accounts/account-sums.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** The storage that a video in progress has reserved in its account's plan (ADR 0017). */
export interface StorageReservation {
  reservedBytes: number
  /** The maximum of the reservation, given the account's other videos and all captions; Infinity if the plan has no limit. */
  roomBytes: number
}

export const IN_PROGRESS: VideoStatus[] = ['queued', 'processing', 'playable']

/**
 * Reads the reservation of a video. The plan's limit applies even if the plan has ended since the video was
 * accepted. Null if the video is ready, failed or deleted.
 */
export async function readReservation(
  em: EntityManager,
  videoId: string,
): Promise<StorageReservation | null> {
  const row = await queries(em)
    .selectFrom('video as v')
    .leftJoin('plan as p', 'p.accountId', 'v.accountId')
    .select(['v.reservedBytes', 'p.storageLimitBytes'])
    .select(
      // Without a limit, nothing is added up.
      sql<number>`case when p.storage_limit_bytes is not null then
        ${takenBytes(sql`v.account_id`)} - v.size_bytes - v.reserved_bytes end`.as('otherBytes'),
    )
    .where('v.id', '=', videoId)
    .where('v.deletedAt', 'is', null)
    .where('v.status', 'in', IN_PROGRESS)
    .executeTakeFirst()
  if (!row) return null
  const { reservedBytes, storageLimitBytes, otherBytes } = row
  const roomBytes = storageLimitBytes === null ? Infinity : storageLimitBytes - otherBytes
  return { reservedBytes, roomBytes }
}
