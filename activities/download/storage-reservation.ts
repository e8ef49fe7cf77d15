import { ApplicationFailure } from '@temporalio/common'
import type { Database, EntityManager } from '../../db/database.ts'
import { growReservation, shrinkReservation } from '../../db/ingest/storage-reservation.ts'
import { SOURCE_MAX_BYTES } from '../../domain/limits.ts'
import { reservationFor } from '../../domain/accounts/plan.ts'
import type { VideoErrorCode } from '../../domain/videos/video-failures.ts'
import { SourceError } from '../../egress/source-error.ts'
import { videoGone } from '../ingest/ingest-step.ts'

/** The storage that one download attempt reserves in its account's plan. */
export interface DownloadReservation {
  /**
   * Reserves storage for a source of `bytes`, and some in advance if its length is not known.
   * Throws a SourceError `insufficient_storage` if the plan lacks it.
   */
  cover(bytes: number, isLengthKnown: boolean): Promise<void>
  /** Returns whether `bytes` are reserved already. */
  covers(bytes: number): boolean
  /** Reserves exactly the size of the received source. Throws as `cover` does. */
  settle(bytes: number): Promise<void>
}

/** Grows the reservation under the lock of the plan's row. The end of the video releases it (ADR 0017). */
export function createDownloadReservation(
  db: Database,
  video: { id: string; accountId: number },
): DownloadReservation {
  let reservedBytes = 0
  const grow = async (needed: number, wanted: number, isSettled: boolean): Promise<void> => {
    const outcome = await db.em.fork().transactional(async (tx) => {
      const grown = await growReservation(tx, video, needed, wanted)
      if (isSettled && typeof grown === 'number') await shrinkReservation(tx, video.id, needed)
      return grown
    })
    if (outcome === 'gone') throw videoGone()
    if (outcome === 'refused') throw insufficientStorage()
    reservedBytes = outcome
  }
  return {
    cover: (bytes, isLengthKnown) =>
      grow(bytes, isLengthKnown ? bytes : Math.min(reservationFor(bytes), SOURCE_MAX_BYTES), false),
    covers: (bytes) => bytes <= reservedBytes,
    settle: (bytes) => grow(bytes, bytes, true),
  }
}

const insufficientStorage = (): SourceError =>
  new SourceError(
    'insufficient_storage',
    'The source is larger than the storage that the plan has left.',
  )

/**
 * Reserves `bytes` in total for a video during its encoding, in the caller's transaction. Throws
 * `insufficient_storage`, which ends the video, if the plan lacks them, and `video_gone` if its ingest has ended.
 */
export async function reserveStorage(
  tx: EntityManager,
  video: { id: string; accountId: number },
  bytes: number,
): Promise<void> {
  const outcome = await growReservation(tx, video, bytes)
  if (outcome === 'gone') throw videoGone()
  if (outcome === 'refused')
    throw ApplicationFailure.nonRetryable(
      'The encoded video is larger than the storage that the plan has left.',
      'insufficient_storage' satisfies VideoErrorCode,
    )
}
