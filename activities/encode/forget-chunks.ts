import { deleteRungChunks } from '../../db/ingest/rendition-chunks.ts'
import { forgetGrowingFilm } from '../../db/ingest/growing-film-rows.ts'
import type { IngestVideoInput } from '../../domain/ingest/ingest.ts'
import type { ActivityDeps } from '../deps.ts'
import { findLiveVideo } from '../ingest/ingest-step.ts'

/**
 * Forgets what is recorded of rungs that are not published, before they are encoded whole, so the video no longer plays
 * while it grows. Recorded audio stays: it fits, and players may have fetched it. `finishVideo` removes the objects.
 */
export function createForgetChunks({ db }: Pick<ActivityDeps, 'db'>) {
  return async function forgetChunks({ videoId }: IngestVideoInput): Promise<void> {
    const em = db.em.fork()
    await findLiveVideo(em, videoId)
    await em.transactional(async (tx) => {
      await forgetGrowingFilm(tx, videoId)
      await deleteRungChunks(tx, videoId)
    })
  }
}
