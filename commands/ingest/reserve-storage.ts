import type { EntityManager } from '../../db/database.ts'
import {
  growReservation,
  releaseReservation,
  shrinkReservation,
} from '../../db/ingest/write-storage-reservation.ts'
import { IngestRefusal, videoGone } from './ingest-refusal.ts'

interface VideoOfPlan {
  id: string
  accountId: number
}

/** What a download needs of the plan. */
export interface DownloadNeed {
  neededBytes: number
  /** In advance, if the plan has the room. */
  wantedBytes: number
  /** True once the source is received: nothing stays reserved in advance. */
  isSettled: boolean
}

/**
 * Reserves storage for a download. Returns the bytes now reserved, or `refused` if the plan has no room for them, which
 * releases what a queued video had. Refuses with `video_gone` if the ingest has ended.
 */
export async function reserveForDownload(
  em: EntityManager,
  video: VideoOfPlan,
  { neededBytes, wantedBytes, isSettled }: DownloadNeed,
): Promise<number | 'refused'> {
  const outcome = await em.transactional(async (tx) => {
    const grown = await growReservation(tx, video, neededBytes, wantedBytes)
    if (isSettled && typeof grown === 'number') await shrinkReservation(tx, video.id, neededBytes)
    return grown
  })
  if (outcome === 'gone') throw videoGone()
  return outcome
}

/**
 * Reserves `bytes` in total for a video during its encoding. Call it at the end of a transaction. Refuses with
 * `insufficient_storage`, which ends the video, if the plan lacks them, and with
 * `video_gone` if its ingest has ended.
 */
export async function reserveStorage(
  tx: EntityManager,
  video: VideoOfPlan,
  bytes: number,
): Promise<void> {
  const outcome = await growReservation(tx, video, bytes)
  if (outcome === 'gone') throw videoGone()
  if (outcome === 'refused')
    throw new IngestRefusal(
      'insufficient_storage',
      'The encoded video is larger than the storage that the plan has left.',
    )
}

/** Releases what a cancelled video has reserved; the stored bytes of a ready video still count. */
export const releaseStorage = (em: EntityManager, videoId: string): Promise<void> =>
  releaseReservation(em, videoId)
