import { listCaptions } from '../../db/captions.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import { acceptVideo } from './accept-video.ts'
import type { AcceptedVideo, VideoOrder } from './accept-video.ts'
import { announceCaptions } from '../captions/announce-captions.ts'

/**
 * Makes a new video of a failed one, in one transaction: the same account, link, title, description and folder, and
 * copies of its captions, chapters and moments. Plan and settings are those of now, as for any new video. The
 * failed one stays as it is. `not_failed` where it is in another state by then, or was deleted.
 */
export async function retryVideoAsNew(
  em: EntityManager,
  failed: Video,
  found: Pick<VideoOrder, 'sizeBytes' | 'hasDrmProvider'>,
): Promise<AcceptedVideo | { refused: 'not_failed' }> {
  return em.transactional(async (tx) => {
    // Locked, because a deletion takes the link and the captions away.
    const rows = await tx.execute<unknown[]>(
      `select 1 from video where id = ? and status = 'failed' and deleted_at is null
       for no key update`,
      [failed.id],
    )
    if (rows.length === 0) return { refused: 'not_failed' }
    const { accountId, sourceUrl, title, description, folderId } = failed
    const order = { accountId, sourceUrl, title, description, folderId, ...found }
    const accepted = await acceptVideo(tx, order)
    if ('video' in accepted) await copyAttached(tx, failed, accepted.video)
    return accepted
  })
}

const COPIED = {
  caption: 'language_code, label, content, size_bytes',
  chapter: 'title, start_seconds, end_seconds',
  moment: 'label, timestamp_seconds',
}

async function copyAttached(tx: EntityManager, from: Video, to: Video): Promise<void> {
  for (const [table, columns] of Object.entries(COPIED))
    await tx.execute(
      `insert into ${table} (video_id, ${columns}) select ?, ${columns} from ${table} where video_id = ?`,
      [to.id, from.id],
    )
  const captions = await listCaptions(tx, to.id)
  if (captions.length > 0) await announceCaptions(tx, to.accountId, to.id, captions)
}
