import type { IngestVideoInput } from '../domain/ingest.ts'
import type { ActivityDeps } from './deps.ts'
import { findLiveVideo } from './ingest-step.ts'

/** Forgets what is recorded of rungs that are not published, before they are encoded whole. */
export function createForgetChunks({ db }: Pick<ActivityDeps, 'db'>) {
  return async function forgetChunks({ videoId }: IngestVideoInput): Promise<void> {
    await findLiveVideo(db.em.fork(), videoId)
  }
}
