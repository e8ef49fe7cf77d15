import type { EntityManager } from '../../db/database.ts'
import { deleteRendition, deleteRenditions } from '../../db/videos/write-renditions.ts'

/** Forgets the renditions of a video that was cancelled or deleted, and their chunks, before their objects are removed. */
export const forgetRenditions = (em: EntityManager, videoId: string): Promise<void> =>
  deleteRenditions(em, videoId)

/** Forgets those of the renditions of a video whose objects are lost. */
export const forgetLostRenditions = (
  em: EntityManager,
  videoId: string,
  names: string[],
): Promise<void> =>
  em.transactional(async (tx) => {
    for (const name of names) await deleteRendition(tx, videoId, name)
  })
