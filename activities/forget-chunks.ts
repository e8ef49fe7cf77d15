import { deleteChunks } from '../db/rendition-chunks.ts'
import type { IngestVideoInput } from '../domain/ingest.ts'
import type { ActivityDeps } from './deps.ts'
import { findLiveVideo } from './ingest-step.ts'

/**
 * Forgets what is recorded of rungs that are not published, before they are encoded whole. `finishVideo` removes
 * the objects.
 */
export function createForgetChunks({ db }: Pick<ActivityDeps, 'db'>) {
  return async function forgetChunks({ videoId }: IngestVideoInput): Promise<void> {
    const em = db.em.fork()
    await findLiveVideo(em, videoId)
    await deleteChunks(em, videoId)
  }
}
