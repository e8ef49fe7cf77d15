import { reserveForDownload } from '../../commands/ingest/reserve-storage.ts'
import type { Database } from '../../db/database.ts'
import { reservationFor } from '../../domain/accounts/plan.ts'
import { SOURCE_MAX_BYTES } from '../../domain/limits.ts'
import { SourceError } from '../../egress/source-error.ts'

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
  const grow = async (
    neededBytes: number,
    wantedBytes: number,
    isSettled: boolean,
  ): Promise<void> => {
    const need = { neededBytes, wantedBytes, isSettled }
    const outcome = await reserveForDownload(db.em.fork(), video, need)
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
