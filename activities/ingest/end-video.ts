import { transitionVideo } from '../../commands/videos/transition-video.ts'
import { deleteKeys } from '../../db/ingest/content-keys.ts'
import type { EntityManager } from '../../db/database.ts'
import { deleteRenditions } from '../../db/videos/renditions.ts'
import { forgetCopy } from '../../db/ingest/source-keys.ts'
import { releaseReservation } from '../../db/ingest/storage-reservation.ts'
import { findVideoById, lockVideoIn } from '../../db/videos/videos.ts'
import type { VideoFailure, IngestVideoInput } from '../../domain/ingest/ingest.ts'
import {
  copiesPrefix,
  mediaPrefix,
  sourcePrefix,
  tilesPrefix,
} from '../../domain/videos/media-paths.ts'
import { endedVideos } from '../../metrics/ingest.ts'
import type { ActivityDeps } from '../deps.ts'
import { reportProgress } from './report-progress.ts'
import type { Report } from './report-progress.ts'
import { dropSourceKey } from '../source/source-keys.ts'
import { removeWorkFolder } from '../scratch/work-folder.ts'

/**
 * Marks a video as failed (video.failed with the reason) and releases its storage. A video that grows was watched
 * already: its keys, its chunks and its outline go in the same transaction, and its objects follow. Resolves to whether
 * the video has failed, now or before; of one that was deleted, only removes what is left of it.
 */
export function createFailVideo(deps: ActivityDeps) {
  return async function failVideo(input: IngestVideoInput & VideoFailure): Promise<boolean> {
    const { videoId, accountId, code: errorCode, message: errorMessage } = input
    const report = reportProgress({ fraction: null })
    const change = { errorCode, errorMessage, reservedBytes: 0, sizeBytes: 0 }
    const { isChanged, hasFailed } = await deps.db.em.fork().transactional(async (em) => {
      const isNow = await transitionVideo(em, videoId, 'failed', change)
      const isFailed = (await lockVideoIn(em, videoId, ['failed'])) !== null
      // Also what an older worker left of a video that it failed.
      if (isFailed) await forgetMedia(em, videoId)
      return { isChanged: isNow, hasFailed: isFailed }
    })
    if (isChanged) {
      endedVideos.inc({ status: 'failed' })
      const failure = { videoId, accountId, code: errorCode, reason: errorMessage }
      deps.logger.warn(failure, 'a video has failed')
    }
    await removeUnlessReady(deps, videoId, report)
    return hasFailed
  }
}

/** Without keys, no copy of a segment can be decrypted (ADR 0010). */
async function forgetMedia(em: EntityManager, videoId: string): Promise<void> {
  await deleteKeys(em, videoId)
  await deleteRenditions(em, videoId)
}

/** Removes everything of a cancelled video from this machine and from storage, and releases its reservation. */
export function createCleanUpVideo(deps: ActivityDeps) {
  return async function cleanUpVideo({ videoId }: IngestVideoInput): Promise<void> {
    await removeUnlessReady(deps, videoId, reportProgress({ fraction: null }))
    await releaseReservation(deps.db.em.fork(), videoId)
  }
}

/** Removes the renditions and the stored objects of a video. */
export async function removeMedia(
  deps: Pick<ActivityDeps, 'db' | 'storage'>,
  videoId: string,
  onProgress?: () => void,
): Promise<void> {
  await deleteRenditions(deps.db.em.fork(), videoId)
  await deps.storage.deletePrefix(mediaPrefix(videoId), onProgress)
}

/**
 * Removes the files of the encoding: the work folder, the tiles of the storyboard, and the stored source with its key and
 * the copy of its picture.
 * The source of a ready video whose account keeps originals stays: it is the original (ADR 0032).
 */
export async function removeScratch(
  deps: Pick<ActivityDeps, 'db' | 'workDir' | 'storage'>,
  videoId: string,
  onProgress?: () => void,
): Promise<void> {
  await removeWorkFolder(deps.workDir, videoId)
  await deps.storage.deletePrefix(tilesPrefix(videoId), onProgress)
  const video = await findVideoById(deps.db.em.fork(), videoId)
  if (video?.status === 'ready' && video.keepOriginal) {
    await forgetCopy(deps.db.em.fork(), videoId)
    await deps.storage.deletePrefix(copiesPrefix(videoId), onProgress)
    return
  }
  await dropSourceKey(deps, videoId)
  await deps.storage.deletePrefix(sourcePrefix(videoId), onProgress)
}

/** If the video is already ready, removes only scratch files. */
async function removeUnlessReady(
  deps: ActivityDeps,
  videoId: string,
  report: Report,
): Promise<void> {
  const video = await findVideoById(deps.db.em.fork(), videoId)
  const onProgress = () => report()
  if (video?.status !== 'ready') await removeMedia(deps, videoId, onProgress)
  await removeScratch(deps, videoId, onProgress)
}
