import type { EntityManager } from '../../db/database.ts'
import type { Moment } from '../../db/entities/annotation.ts'
import { countMoments } from '../../db/videos/annotations.ts'
import { deleteMomentRow, insertMoment } from '../../db/videos/write-annotations.ts'
import { MOMENTS_MAX } from '../../domain/limits.ts'
import { isMomentTime } from '../../domain/videos/chapters.ts'
import { Refusal, refuseViolation } from '../refusal.ts'
import { requireLockedVideo } from '../videos/lock-video.ts'

const FIELD = { field: 'timestamp' }

/**
 * Adds a moment to a video. Call it in a transaction. Refuses with `invalid_parameter` for a time beyond the end,
 * and with `moment_exists`, `too_many_moments` and `video_not_found`.
 */
export async function createMoment(
  tx: EntityManager,
  accountId: number,
  videoId: string,
  { label, timestampSeconds }: { label: string; timestampSeconds: number },
): Promise<Moment> {
  const video = await requireLockedVideo(tx, accountId, videoId)
  if (!isMomentTime(timestampSeconds, video.durationMs))
    throw new Refusal('invalid_parameter', {
      ...FIELD,
      message: '`timestamp` is beyond the end of the video.',
    })
  if ((await countMoments(tx, videoId)) >= MOMENTS_MAX) throw new Refusal('too_many_moments')
  const moment = insertMoment(tx, { videoId, label, timestampSeconds })
  return refuseViolation(moment, 'unique', 'moment_exists', FIELD)
}

/** Deletes a moment. Call it in a transaction. Refuses with `moment_not_found` and `video_not_found`. */
export async function deleteMoment(
  tx: EntityManager,
  accountId: number,
  videoId: string,
  id: number,
): Promise<void> {
  await requireLockedVideo(tx, accountId, videoId)
  if (!(await deleteMomentRow(tx, videoId, id))) throw new Refusal('moment_not_found')
}
