import { availableStorageBytes, findPlan, lockStorage } from '../../db/accounts/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import { posterSubject } from '../../db/outbox/workflow-requests.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'
import {
  countWaitingUploads,
  findPosterUpload,
  type PosterUploadFacts,
} from '../../db/videos/poster-uploads.ts'
import { lockVideo } from '../../db/videos/videos.ts'
import {
  putPosterUpload,
  putUploadedPoster,
  refuseUpload,
  takeWaitingUpload,
  type StoredUpload,
} from '../../db/videos/write-poster-uploads.ts'
import type { SetPosterInput } from '../../domain/ingest/ingest.ts'
import { POSTER_UPLOADS_WAITING_MAX } from '../../domain/limits.ts'
import { uploadName } from '../../domain/videos/media-paths.ts'
import { pictureFault, readPicture } from '../../domain/videos/picture.ts'
import { Refusal } from '../refusal.ts'
import { requireLockedVideo } from './lock-video.ts'

/**
 * Keeps a picture that a member sends, in place of one that still waits, and requests the workflow that makes it the
 * poster. Call it in a transaction. Refuses with `video_not_found`, `video_not_ready`, `too_many_poster_uploads` and
 * the faults of `pictureFault`.
 */
export async function uploadPoster(
  tx: EntityManager,
  accountId: number,
  videoId: string,
  content: Buffer,
): Promise<PosterUploadFacts> {
  const video = await requireLockedVideo(tx, accountId, videoId)
  if (!video.hasPoster) throw new Refusal('video_not_ready')
  const picture = readPicture(content)
  const fault = pictureFault(picture)
  if (!picture || fault) throw new Refusal(fault ?? 'unsupported_picture')
  if ((await countWaitingUploads(tx, accountId, videoId)) >= POSTER_UPLOADS_WAITING_MAX)
    throw new Refusal('too_many_poster_uploads')
  const { format } = picture
  const number = await putPosterUpload(tx, { videoId, accountId, content, format })
  const subjectId = posterSubject(videoId, number)
  await requestWorkflows(tx, [{ command: 'set-poster', subjectId, accountId }])
  return { number, format, sizeBytes: content.length, reason: null }
}

/**
 * Makes an upload the poster, once its object is stored; or refuses it if the plan has no room for it. Call it in a
 * transaction. Changes nothing if a later upload or choice has taken its place, or the video is deleted.
 */
export async function publishUploadedPoster(
  tx: EntityManager,
  upload: SetPosterInput,
  stored: StoredUpload,
): Promise<void> {
  const { videoId, accountId, number } = upload
  const video = await lockVideo(tx, accountId, videoId)
  if (!video || (await findPosterUpload(tx, videoId))?.number !== number) return
  await lockStorage(tx, accountId)
  const plan = await findPlan(tx, accountId)
  const availableBytes = plan ? await availableStorageBytes(tx, plan) : Infinity
  if (stored.sizeBytes - video.uploadBytes > availableBytes)
    return refuseUpload(tx, upload, 'insufficient_storage')
  if (!(await takeWaitingUpload(tx, upload))) return
  const replaced = video.uploadNumber === null ? null : uploadName(video.uploadNumber)
  await putUploadedPoster(tx, upload, { ...stored, posterName: uploadName(number), replaced })
}

/** Records that the picture of an upload cannot be read. Does nothing if the upload does not wait any more. */
export const refuseUploadedPoster = (em: EntityManager, upload: SetPosterInput): Promise<void> =>
  refuseUpload(em, upload, 'unreadable_picture')
