import { randomBytes } from 'node:crypto'
import type { EntityManager } from '../../db/database.ts'
import { isStoredSource } from '../../db/ingest/source-keys.ts'
import { SourceWriteLostError, type SourceWrite } from '../../db/ingest/source-writes.ts'
import {
  changeSourceWrite,
  claimSourceWrite,
  recordSourcePart,
  restartSourceWrite,
  type WriterOf,
} from '../../db/ingest/write-source-parts.ts'
import { lockIngest, RUNNING } from './lock-ingest.ts'

/**
 * Makes the caller the only writer of a source, and returns what the writer before has recorded. Every other function here
 * throws a SourceWriteLostError once another one has called it. Throws that too if another source was stored since
 * `sourceId` was read; refuses with `video_gone` if the video was deleted or has ended.
 */
export const claimSource = (
  em: EntityManager,
  { videoId, sourceId }: { videoId: string; sourceId: string | null },
): Promise<{ by: WriterOf; row: SourceWrite }> => {
  const by = { videoId, token: randomBytes(8).toString('hex') }
  return em.transactional(async (tx) => {
    await lockIngest(tx, videoId, RUNNING)
    if (!(await isStoredSource(tx, videoId, sourceId)))
      throw new SourceWriteLostError('another process has stored the source')
    return { by, row: await claimSourceWrite(tx, by) }
  })
}

/** Records the object that the parts of a source belong to. */
export const recordSourceObject = (
  em: EntityManager,
  by: WriterOf,
  objectId: string,
): Promise<void> => changeSourceWrite(em, by, { objectId })

/** Records a part of a source and all bytes before its end. Returns the next number for a part. */
export const recordPart = (
  em: EntityManager,
  by: WriterOf,
  recorded: Pick<SourceWrite, 'parts' | 'offsetBytes' | 'carry' | 'sourceId'>,
): Promise<number> => recordSourcePart(em, by, recorded)

/** Records the bytes of a source behind its parts, and how its first piece is named. */
export const recordTail = (
  em: EntityManager,
  by: WriterOf,
  { tail, sourceId }: Pick<SourceWrite, 'tail' | 'sourceId'>,
): Promise<void> => changeSourceWrite(em, by, { tail, sourceId })

/** Forgets all parts, because the object is gone or the file is another one, which has this `validator`. */
export const restartSource = (
  em: EntityManager,
  by: WriterOf,
  validator: string | null,
): Promise<void> => restartSourceWrite(em, by, validator)

/** Forgets of which file a source is, so that the next writer begins again. */
export const forgetValidator = (em: EntityManager, by: WriterOf): Promise<void> =>
  changeSourceWrite(em, by, { validator: null })

/** Makes sure that `by` is still the writer, which then may complete the source. */
export const holdSource = (em: EntityManager, by: WriterOf): Promise<void> =>
  changeSourceWrite(em, by, { isHeld: true })

/** Lets the next writer continue without a copy of what is recorded. */
export const releaseSource = (em: EntityManager, by: WriterOf): Promise<void> =>
  changeSourceWrite(em, by, { isHeld: false })
