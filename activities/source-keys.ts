import { deleteSourceKey, findSourceKey, insertSourceKey } from '../db/source-keys.ts'
import { lockVideoIn } from '../db/videos.ts'
import { newSourceKey } from '../security/encrypted-source.ts'
import type { SourceKeyOf } from '../security/encrypted-source.ts'
import { seal } from '../security/sealing.ts'
import { openSourceKey, sourceKeyContext } from '../security/secret-contexts.ts'
import type { ActivityDeps } from './deps.ts'
import { videoGone } from './ingest-step.ts'

type Deps = Pick<ActivityDeps, 'db' | 'masterKeys'>

/**
 * Returns the key that encrypts the source of a video, and makes it unless the video has one. Concurrent or repeated
 * runs get the same key. Throws `video_gone` if the video was deleted or has ended.
 */
export async function ensureSourceKey(
  { db, masterKeys }: Deps,
  videoId: string,
): Promise<SourceKeyOf> {
  const em = db.em.fork()
  const row = await findSourceKey(em, videoId)
  if (row) return openSourceKey(masterKeys, row)
  const sealedKey = seal(masterKeys, newSourceKey(), sourceKeyContext(videoId))
  await em.transactional(async (tx) => {
    const status = await lockVideoIn(tx, videoId, ['queued', 'processing', 'playable'])
    if (status === null) throw videoGone()
    await insertSourceKey(tx, { videoId, sealedKey })
  })
  const stored = await findSourceKey(db.em.fork(), videoId)
  if (!stored) throw videoGone()
  return openSourceKey(masterKeys, stored)
}

/** Returns the key of a video's source; null if it was stored before sources were encrypted, or has no key any more. */
export async function readSourceKey(
  { db, masterKeys }: Deps,
  videoId: string,
): Promise<SourceKeyOf | null> {
  const row = await findSourceKey(db.em.fork(), videoId)
  return row && openSourceKey(masterKeys, row)
}

/** Deletes the key of a source, before the source itself is removed (ADR 0010). */
export const dropSourceKey = ({ db }: Pick<Deps, 'db'>, videoId: string): Promise<void> =>
  deleteSourceKey(db.em.fork(), videoId)
