import type { EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import { readTagKeys } from '../../db/videos/tag-keys.ts'
import { lockVideosThatMatch } from '../../db/videos/video-matches.ts'
import type { VideoQuery } from '../../db/videos/video-query.ts'
import { countVideosOf, lockVideos } from '../../db/videos/videos.ts'
import { updateVideo, type VideoTitle } from '../../db/videos/write-videos.ts'
import { changedFields, type Actor } from '../../domain/accounts/audit.ts'
import { TAGS_MAX } from '../../domain/limits.ts'
import { changeTags, type TagKey } from '../../domain/videos/own-data.ts'
import { appendAuditEntry } from '../audit.ts'
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
  query: VideoQuery,
  expectedCount: number,
): Promise<VideoTitle[]> {
  const ids = await lockVideosThatMatch(tx, query, expectedCount + 1)
  if (ids.length !== expectedCount) throw new Refusal('selection_changed')
  return deleteSilently(tx, query.accountId, ids)
}

/** What is changed of many videos. Absent parts stay as they are. */
export interface ManyVideosChange {
  /** Null takes them out of any folder. */
  folderId?: number | null | undefined
  addedTags?: readonly string[] | undefined
  removedTags?: readonly string[] | undefined
}

export interface EditedVideos {
  /** The ids of those that were changed. The others were so already. */
  changed: string[]
  /** Those that would have too many tags, and stay as they are. */
  full: VideoTitle[]
}

/**
 * Changes the account's videos, each with an entry in the audit log as an edit of it alone. Call it in a transaction. Refuses with
 * `folder_not_found` and, having changed none, with `video_not_found`.
 */
export async function editVideos(
  tx: EntityManager,
  { accountId, actor }: { accountId: number; actor: Actor },
  ids: string[],
  change: ManyVideosChange,
): Promise<EditedVideos> {
  await requireFolder(tx, accountId, change.folderId)
  const videos = await lockVideos(tx, accountId, ids)
  if (videos.length < new Set(ids).size) throw new Refusal('video_not_found')
  const keyOf = await readTagKeys(tx, [
    ...videos.flatMap(({ tags }) => tags),
    ...(change.addedTags ?? []),
    ...(change.removedTags ?? []),
  ])
  const changed: string[] = []
  const full: VideoTitle[] = []
  for (const video of videos) {
    const edit = editOf(video, change, keyOf)
    const { before, after } = changedFields(shownOf(video), shownOf({ ...video, ...edit }), SHOWN)
    if (edit.tags.length > TAGS_MAX) full.push({ id: video.id, title: video.title })
    else if (Object.keys(after ?? {}).length > 0) {
      await refuseMissingFolder(updateVideo(tx, video.id, edit))
      const entry = { action: 'video.update', subject: video.id, before, after }
      await appendAuditEntry(tx, accountId, actor, entry)
      changed.push(video.id)
    }
  }
  return { changed, full }
}

type Edited = Pick<Video, 'folderId' | 'tags'>

const editOf = (
  video: Edited,
  { folderId = video.folderId, addedTags = [], removedTags = [] }: ManyVideosChange,
  keyOf: TagKey,
): Edited => ({
  folderId,
  tags:
    addedTags.length + removedTags.length === 0
      ? video.tags
      : changeTags(video.tags, { added: addedTags, removed: removedTags }, keyOf),
})

/** The fields of the audit log. */
const SHOWN = ['folder_id', 'tags']

const shownOf = ({ folderId, tags }: Edited) => ({ folder_id: folderId, tags })
