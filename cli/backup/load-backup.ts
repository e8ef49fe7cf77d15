import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../commands/refusal.ts'
import { deleteVideo } from '../../commands/videos/delete-video.ts'
import { forgetLostRenditions } from '../../commands/videos/forget-renditions.ts'
import { findAnyVideo } from '../../db/accounts/operator.ts'
import type { Dump } from '../../db/backup/load-dump.ts'
import { readVideosWithMedia, type VideoWithMedia } from '../../db/backup/videos.ts'
import type { Database } from '../../db/database.ts'
import { objectListOf, tableFileOf, type OpenedBackup } from './backup-folder.ts'
import { incompleteRenditions } from './expected-objects.ts'
import { openCursor } from './object-list.ts'

/** The database of a backup, as `db/` loads it. */
export const dumpOf = ({ path, manifest }: OpenedBackup): Dump => ({
  name: manifest.name,
  migrations: manifest.migrations,
  tables: manifest.tables.map(({ name, columns }) => ({
    name,
    columns,
    rows: () => readTable(tableFileOf(path, name)),
  })),
  sequences: manifest.sequences.map(({ name, last_value: lastValue }) => ({ name, lastValue })),
  partitions: manifest.partitions.map(({ opened_at: openedAt, ...one }) => ({ ...one, openedAt })),
})

function readTable(path: string): Readable {
  const rows = createGunzip()
  // A failure reaches the reader of `rows`.
  pipeline(createReadStream(path), rows, () => {})
  return rows
}

export interface Amendment {
  /** Videos that were deleted while the backup ran. */
  deleted: string[]
  /** Running ingests that make some of their renditions again. */
  repeated: string[]
  /** Finished videos that lack objects. */
  incomplete: string[]
}

/**
 * Brings a loaded database in line with the objects of its backup: deletes what was deleted while it was made, and
 * lets running ingests make renditions again whose objects are missing. Safe to repeat.
 */
export async function amendLoaded(db: Database, backup: OpenedBackup): Promise<Amendment> {
  const deleted: string[] = []
  for (const id of backup.manifest.deleted_videos) if (await deleteIfThere(db, id)) deleted.push(id)
  const [repeated, incomplete]: [string[], string[]] = [[], []]
  for await (const { video, missing } of withMissing(db, backup)) {
    const isRunning = ['queued', 'processing', 'playable'].includes(video.status)
    ;(isRunning ? repeated : incomplete).push(video.id)
    if (isRunning) await forgetLostRenditions(db.em.fork(), video.id, missing)
  }
  return { deleted, repeated, incomplete }
}

async function deleteIfThere(db: Database, id: string): Promise<boolean> {
  const video = await findAnyVideo(db.em.fork(), id)
  if (!video || video.deletedAt !== null) return false
  try {
    await deleteVideo(db.em.fork(), video.accountId, id)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

async function* withMissing(db: Database, backup: OpenedBackup) {
  const list = openCursor(objectListOf(backup.path))
  try {
    for await (const video of readVideosWithMedia(() => db.em.fork())) {
      const missing = await missingOf(video, list)
      if (missing.length > 0) yield { video, missing }
    }
  } finally {
    await list.close()
  }
}

async function missingOf(video: VideoWithMedia, list: ReturnType<typeof openCursor>) {
  const keys = new Set((await list.take(video.id)).map(({ key }) => key))
  return incompleteRenditions(video, (key) => keys.has(key))
}
