import { OPEN_UPLOADS } from '../../domain/uploads/upload.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** What has an external id: a video, or an upload that becomes it. */
export interface Holder {
  videoId: string
  /** Null for a video. */
  uploadId: number | null
}

/** The video of the account with this external id, or the open upload of one; null if there is none. */
export async function findByExternalId(
  em: EntityManager,
  accountId: number,
  externalId: string,
): Promise<Holder | null> {
  const video = await queries(em)
    .selectFrom('video')
    .select('id')
    .where('accountId', '=', accountId)
    .where('externalId', '=', externalId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (video) return { videoId: video.id, uploadId: null }
  const upload = await queries(em)
    .selectFrom('upload')
    .select(['id', 'videoId'])
    .where('accountId', '=', accountId)
    .where('externalId', '=', externalId)
    .where('status', 'in', OPEN_UPLOADS)
    .executeTakeFirst()
  return upload ? { videoId: upload.videoId, uploadId: upload.id } : null
}
