import type { EntityManager } from '../../db/database.ts'
import { hasFolder } from '../../db/videos/folders.ts'
import { findVideo } from '../../db/videos/videos.ts'
import { updateVideo, type VideoEdit } from '../../db/videos/write-videos.ts'
import { valuesBefore } from '../../domain/merge-edits.ts'
import { Refusal, refuseViolation } from '../refusal.ts'

const FIELD = { field: 'folder_id' }

/**
 * Changes the title, the description or the folder of the account's video. Call it in a transaction. Refuses with
 * `folder_not_found` and `video_not_found`; and with `stale_edit` if a field that it changes has another value by now
 * than in `from`.
 */
export async function editVideo(
  tx: EntityManager,
  accountId: number,
  id: string,
  edit: VideoEdit,
  from: VideoEdit = {},
): Promise<void> {
  await requireFolder(tx, accountId, edit.folderId)
  const expected = valuesBefore(edit, from)
  if (await refuseMissingFolder(updateVideo(tx, accountId, id, edit, expected))) return
  throw new Refusal((await findVideo(tx, accountId, id)) ? 'stale_edit' : 'video_not_found')
}

/** Refuses with `folder_not_found` unless the folder of a video is the account's, or the video has none. */
export async function requireFolder(
  em: EntityManager,
  accountId: number,
  folderId: number | null | undefined,
): Promise<void> {
  if (folderId === undefined || folderId === null) return
  if (!(await hasFolder(em, accountId, folderId))) throw new Refusal('folder_not_found', FIELD)
}

/** Refuses in the same way when the folder was deleted between `requireFolder` and the write. */
export const refuseMissingFolder = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'foreignKey', 'folder_not_found', FIELD)
