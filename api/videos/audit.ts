import type { EntityManager } from '../../db/database.ts'
import { findVideoDetails } from '../../db/videos/video-details.ts'
import { videoView } from '../../views/videos/video.ts'

/** The fields of a video that the audit log shows. */
export const VIDEO_FIELDS = ['title', 'description', 'folder_id', 'external_id', 'tags', 'metadata']

/** Reads a video for the audit log. */
export async function readVideo(tx: EntityManager, accountId: number, { id }: { id: string }) {
  const details = await findVideoDetails(tx, accountId, id)
  // The log holds no address, so its base does not matter.
  return details && videoView(details, '')
}
