import { deleteRenditions } from '../../db/videos/renditions.ts'
import {
  deleteSourceKey,
  findSourceKey,
  insertSourceKey,
  putSourceId,
} from '../../db/ingest/source-keys.ts'
import { dropSourceWrite, endSourceWrite } from '../../db/ingest/source-writes.ts'
import type { WriterOf } from '../../db/ingest/source-writes.ts'
import { lockVideoIn } from '../../db/videos/videos.ts'
import { sourceKey, tilesPrefix } from '../../domain/videos/media-paths.ts'
import { newSourceKey } from '../../security/sealing/encrypted-source.ts'
import type { SourceKeyOf } from '../../security/sealing/encrypted-source.ts'
import { seal } from '../../security/sealing/sealing.ts'
import { openSourceKey, sourceKeyContext } from '../../security/sealing/secret-contexts.ts'
import type { ActivityDeps } from '../deps.ts'
import { videoGone } from '../ingest/ingest-step.ts'

type Deps = Pick<ActivityDeps, 'db' | 'masterKeys'>

/** The key of a source, and the id of what is recorded as stored; null if nothing is. */
export interface SourceOf extends SourceKeyOf {
  sourceId: string | null
  /** Names the copy of its picture; null if it has none. */
  copyId: string | null
}

/**
 * Returns the key that encrypts the source of a video, and makes it unless the video has one. Concurrent or repeated
 * runs get the same key; `isNew` is true for the run that made it, before which nothing was stored. Throws `video_gone`
 * if the video was deleted or has ended.
 */
export async function ensureSourceKey(
  deps: Deps,
  videoId: string,
): Promise<SourceOf & { isNew: boolean }> {
  const found = await readSourceKey(deps, videoId)
  if (found) return { ...found, isNew: false }
  const { db, masterKeys } = deps
  const sealedKey = seal(masterKeys, newSourceKey(), sourceKeyContext(videoId))
  const isNew = await db.em.fork().transactional(async (tx) => {
    const status = await lockVideoIn(tx, videoId, ['queued', 'processing', 'playable'])
    if (status === null) throw videoGone()
    return insertSourceKey(tx, { videoId, sealedKey })
  })
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

/**
 * Records which source of a video is stored; `by` has written it, or it was found. What is recorded of another one is
 * forgotten in the same transaction, so no video is made of two: chunks, renditions, the outline and the copy of the picture.
 * No other writer continues. Throws `video_gone` if the video was deleted or has ended, and a SourceWriteLostError if another
 * has taken the place of `by`.
 */
export async function recordSource(
  { db, storage }: Pick<ActivityDeps, 'db' | 'storage'>,
  videoId: string,
  sourceId: string,
  by?: WriterOf,
): Promise<void> {
  const { isOther, unfinished } = await db.em.fork().transactional(async (tx) => {
    const status = await lockVideoIn(tx, videoId, ['queued', 'processing', 'playable'])
    if (status === null) throw videoGone()
    if (by) await endSourceWrite(tx, by)
    const left = await dropSourceWrite(tx, videoId)
    const isReplaced = await putSourceId(tx, videoId, sourceId)
    if (isReplaced) await deleteRenditions(tx, videoId)
    return { isOther: isReplaced, unfinished: left }
  })
  if (unfinished !== null) await storage.partial.abort(sourceKey(videoId), unfinished)
  if (isOther) await storage.deletePrefix(tilesPrefix(videoId))
}

/** Deletes the key of a source, before the source itself is removed (ADR 0010). */
export const dropSourceKey = ({ db }: Pick<Deps, 'db'>, videoId: string): Promise<void> =>
  deleteSourceKey(db.em.fork(), videoId)
