import { failVideo as fail } from '../../commands/ingest/fail-video.ts'
import { releaseStorage } from '../../commands/ingest/reserve-storage.ts'
import { forgetSource } from '../../commands/ingest/source-keys.ts'
import { forgetRenditions } from '../../commands/videos/forget-renditions.ts'
import { findVideoById } from '../../db/videos/videos.ts'
import type { IngestVideoInput, VideoFailure } from '../../domain/ingest/ingest.ts'
import {
  copiesPrefix,
  mediaPrefix,
  sourcePrefix,
  tilesPrefix,
} from '../../domain/videos/media-paths.ts'
import { isFinal } from '../../domain/videos/video-state.ts'
import { endedVideos } from '../../metrics/ingest.ts'
import type { ActivityDeps } from '../deps.ts'
import { removeWorkFolder } from '../scratch/work-folder.ts'
import { reportProgress, type Report } from './report-progress.ts'

/**
 * Marks a video as failed, with all that is recorded of its media, and then removes its objects. Resolves to whether the
 * video has failed, now or before; of one that was deleted, only removes what is left of it.
 */
export async function failVideo(
  deps: ActivityDeps,
  input: IngestVideoInput & VideoFailure,
): Promise<boolean> {
  const { videoId, accountId, code, message } = input
  const report = reportProgress({ fraction: null })
  const { isChanged, hasFailed } = await fail(deps.db.em.fork(), videoId, { code, message })
  if (isChanged) {
    endedVideos.inc({ status: 'failed' })
    deps.logger.warn({ videoId, accountId, code, reason: message }, 'a video has failed')
  }
  await removeUnlessReady(deps, videoId, report)
  return hasFailed
}

/**
 * Removes everything of a video that was deleted or has ended from this machine and from storage, and releases its reservation. A video
 * whose ingest has not ended stays as it is: its record may be older than this workflow, which a restore does not end, and of an upload the
 * stored source is the only copy. The sweep then begins its ingest again.
 */
export async function cleanUpVideo(
  deps: ActivityDeps,
  { videoId }: IngestVideoInput,
): Promise<void> {
  const report = reportProgress({ fraction: null })
  const video = await findVideoById(deps.db.em.fork(), videoId)
  if (video && !isFinal(video.status)) return
  await removeUnlessReady(deps, videoId, report)
  await releaseStorage(deps.db.em.fork(), videoId)
}

/** Removes the renditions and the stored objects of a video. */
export async function removeMedia(
  deps: Pick<ActivityDeps, 'db' | 'storage'>,
  videoId: string,
  onProgress?: () => void,
): Promise<void> {
  await forgetRenditions(deps.db.em.fork(), videoId)
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
  const isKept = await forgetSource(deps.db.em.fork(), videoId)
  const unused = isKept ? copiesPrefix(videoId) : sourcePrefix(videoId)
  await deps.storage.deletePrefix(unused, onProgress)
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
