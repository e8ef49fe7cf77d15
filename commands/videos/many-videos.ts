import type { EntityManager } from '../../db/database.ts'
import { lockVideosThatMatch, type VideoFilter } from '../../db/videos/video-filter.ts'
import { countVideosOf } from '../../db/videos/videos.ts'
import { moveVideosToFolder, type VideoTitle } from '../../db/videos/write-videos.ts'
import { Refusal } from '../refusal.ts'
import { deleteSilently } from './delete-video.ts'
import { refuseMissingFolder, requireFolder } from './edit-video.ts'

/**
 * Deletes the account's videos with these ids without an event. Call it in a transaction. Those that are deleted
 * already do not matter. Returns those that it deleted. Refuses with `video_not_found`.
 */
export async function deleteVideos(
  tx: EntityManager,
  accountId: number,
  ids: string[],
): Promise<VideoTitle[]> {
  const known = await countVideosOf(tx, accountId, ids)
  if (known < new Set(ids).size) throw new Refusal('video_not_found')
  return deleteSilently(tx, accountId, ids)
}

/**
 * Deletes all videos that match, without an event, if they are as many as the caller has seen. Call it in a
 * transaction. Returns them. Refuses with `selection_changed`.
 */
export async function deleteVideosThatMatch(
  tx: EntityManager,
  filter: VideoFilter,
  expectedCount: number,
): Promise<VideoTitle[]> {
  const ids = await lockVideosThatMatch(tx, filter, expectedCount + 1)
  if (ids.length !== expectedCount) throw new Refusal('selection_changed')
  return deleteSilently(tx, filter.accountId, ids)
}

/**
 * Moves the account's videos to a folder, or out of any folder with null. Call it in a transaction. Refuses with
 * `folder_not_found` and, having moved none, with `video_not_found`.
 */
export async function moveVideos(
  tx: EntityManager,
  accountId: number,
  ids: string[],
  folderId: number | null,
): Promise<void> {
  await requireFolder(tx, accountId, folderId)
  const moved = await refuseMissingFolder(moveVideosToFolder(tx, accountId, ids, folderId))
  if (moved < new Set(ids).size) throw new Refusal('video_not_found')
}
