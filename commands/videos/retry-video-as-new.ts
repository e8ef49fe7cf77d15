import type { EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import { followRetry } from '../../db/imports/write-video-imports.ts'
import { listCaptions } from '../../db/videos/annotations.ts'
import { lockVideo } from '../../db/videos/videos.ts'
import { copyCaptions, copyChapters, copyMoments } from '../../db/videos/write-annotations.ts'
import { updateVideo } from '../../db/videos/write-videos.ts'
import { lockCaptionStorage, requireCaptionStorage } from '../captions/caption-storage.ts'
import { announceCaptions } from '../captions/captions.ts'
import { acceptVideo } from './accept-video.ts'
import type { CheckedLink } from './check-link.ts'

/**
 * Makes a new video from a failed one, in one transaction: the same account, link, title, description,
 * folder, tags and metadata, and copies of its captions, chapters and moments. The new one takes over its external id, and the checksum that an import names. The current plan and settings apply, as for any
 * new video. `link` is that of the failed video, as `checkLinkAgain` returns it. The failed video stays otherwise as it is. Returns null if it has another state or is
 * deleted. Refuses as `acceptVideo` does, also if the copied captions exceed the storage.
 */
export async function retryVideoAsNew(
  em: EntityManager,
  failed: Video,
  link: CheckedLink,
): Promise<Video | null> {
  return em.transactional(async (tx) => {
    // Read again, because the check of the link took seconds: its external id may be that of another video by now.
    tx.clear()
    // Locked, because a deletion removes the link and the captions.
    const now = await lockVideo(tx, failed.accountId, failed.id)
    if (now?.status !== 'failed') return null
    const { title, description, folderId, externalId, tags, metadata } = now
    if (externalId !== null) await updateVideo(tx, failed.id, { externalId: null })
    const own = { externalId, tags, metadata }
    const video = await acceptVideo(tx, { ...link, title, description, folderId, ...own })
    await followRetry(tx, failed.id, video.id)
    await copyAttached(tx, failed.id, video)
    return video
  })
}

async function copyAttached(tx: EntityManager, fromId: string, to: Video): Promise<void> {
  const leftBytes = await lockCaptionStorage(tx, to.accountId)
  const copied = await listCaptions(tx, fromId)
  requireCaptionStorage(
    copied.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    leftBytes,
  )
  const captions = await copyCaptions(tx, fromId, to.id)
  await copyChapters(tx, fromId, to.id)
  await copyMoments(tx, fromId, to.id)
  if (captions.length > 0) await announceCaptions(tx, to.accountId, to.id, captions)
}
