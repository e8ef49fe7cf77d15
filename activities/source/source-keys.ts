import { videoGone } from '../../commands/ingest/ingest-refusal.ts'
import { recordSource as record } from '../../commands/ingest/record-source.ts'
import { storeSourceKey } from '../../commands/ingest/source-keys.ts'
import { findSourceKey } from '../../db/ingest/source-keys.ts'
import type { WriterOf } from '../../db/ingest/write-source-parts.ts'
import { sourceKey, tilesPrefix } from '../../domain/videos/media-paths.ts'
import { newSourceKey, type SourceKeyOf } from '../../security/sealing/encrypted-source.ts'
import { seal } from '../../security/sealing/sealing.ts'
import { openSourceKey, sourceKeyContext } from '../../security/sealing/secret-contexts.ts'
import type { ActivityDeps } from '../deps.ts'

type Deps = Pick<ActivityDeps, 'db' | 'masterKeys'>

/** The key of a source, and the id of what is recorded as stored; null if nothing is. */
export interface SourceOf extends SourceKeyOf {
  sourceId: string | null
  /** Names the copy of its picture; null if it has none. */
  copyId: string | null
}

/**
 * Returns the key that encrypts the source of a video, and makes it unless the video has one. Concurrent or repeated
 * runs get the same key; `isNew` is true for the run that made it, before which nothing was stored. Refuses with
 * `video_gone` if the video was deleted or has ended.
 */
export async function ensureSourceKey(
  deps: Deps,
  videoId: string,
): Promise<SourceOf & { isNew: boolean }> {
  const found = await readSourceKey(deps, videoId)
  if (found) return { ...found, isNew: false }
  const { db, masterKeys } = deps
  const sealedKey = seal(masterKeys, newSourceKey(), sourceKeyContext(videoId))
  const isNew = await storeSourceKey(db.em.fork(), { videoId, sealedKey })
  const made = await readSourceKey(deps, videoId)
  if (!made) throw videoGone()
  return { ...made, isNew }
}

/** Returns the key of a video's source; null if it was stored before sources were encrypted, or has no key any more. */
export async function readSourceKey(
  { db, masterKeys }: Deps,
  videoId: string,
): Promise<SourceOf | null> {
  const row = await findSourceKey(db.em.fork(), videoId)
  if (!row) return null
  const { sourceId, copyId } = row
  return { ...openSourceKey(masterKeys, row), sourceId, copyId }
}

/** Records which source of a video is stored (`recordSource` of the commands), and removes what is stored of another one. */
export async function recordSource(
  { db, storage }: Pick<ActivityDeps, 'db' | 'storage'>,
  videoId: string,
  sourceId: string,
  by?: WriterOf,
): Promise<void> {
  const { isOther, unfinished } = await record(db.em.fork(), videoId, sourceId, by)
  if (unfinished !== null) await storage.partial.abort(sourceKey(videoId), unfinished)
  if (isOther) await storage.deletePrefix(tilesPrefix(videoId))
}
