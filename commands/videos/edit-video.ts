import type { EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import { hasFolder } from '../../db/videos/folders.ts'
import { readTagKeys } from '../../db/videos/tag-keys.ts'
import { lockVideo } from '../../db/videos/videos.ts'
import { updateVideo, type VideoEdit } from '../../db/videos/write-videos.ts'
import { isSame } from '../../domain/accounts/audit.ts'
import { METADATA_KEYS_MAX } from '../../domain/limits.ts'
import { valuesBefore } from '../../domain/merge-edits.ts'
import {
  changeMetadata,
  distinctTags,
  type Metadata,
  type MetadataChange,
} from '../../domain/videos/own-data.ts'
import { Refusal, refuseViolation } from '../refusal.ts'
import { claimExternalId } from './claim-external-id.ts'

const FIELD = { field: 'folder_id' }

/** A change of a video. Absent fields keep their values; metadata that it does not name stays. */
export interface VideoChange extends Omit<VideoEdit, 'metadata'> {
  metadata?: MetadataChange | null | undefined
}

/**
 * Changes the account's video. Call it in a transaction. Refuses with `folder_not_found`, `external_id_taken`,
 * `video_not_found` and `too_much_metadata`; and with `stale_edit` if a field that it changes has another value by now than in `from`.
 */
export async function editVideo(
  tx: EntityManager,
  accountId: number,
  id: string,
  { metadata, ...change }: VideoChange,
  from: VideoEdit = {},
): Promise<void> {
  await requireFolder(tx, accountId, change.folderId)
  await claimExternalId(tx, accountId, id, change.externalId)
  const video = await lockVideo(tx, accountId, id)
  if (!video) throw new Refusal('video_not_found')
  const edit: VideoEdit = {
    ...change,
    tags: change.tags && distinctTags(change.tags, await readTagKeys(tx, change.tags)),
    metadata: metadata === undefined ? undefined : mergeMetadata(video.metadata, metadata),
  }
  if (!hasValues(video, valuesBefore(edit, from))) throw new Refusal('stale_edit')
  await refuseMissingFolder(updateVideo(tx, id, edit))
  // The video is read again after the change.
  tx.clear()
}

const hasValues = (video: Video, values: VideoEdit): boolean =>
  Object.entries(values).every(([name, value]) => isSame(video[name as keyof VideoEdit], value))

function mergeMetadata(before: Metadata, change: MetadataChange | null): Metadata {
  const metadata = changeMetadata(before, change)
  requireFewKeys(metadata)
  return metadata
}

/** Refuses with `too_much_metadata` unless a video can have as many keys. */
export function requireFewKeys(metadata: Metadata): void {
  if (Object.keys(metadata).length > METADATA_KEYS_MAX)
    throw new Refusal('too_much_metadata', { field: 'metadata' })
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
