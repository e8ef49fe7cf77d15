import { forgetRungChunks } from '../../commands/ingest/record-outline.ts'
import type { IngestVideoInput } from '../../domain/ingest/ingest.ts'
import type { ActivityDeps } from '../deps.ts'
import { findLiveVideo } from '../ingest/ingest-step.ts'

/** Forgets recorded chunks of rungs that are not published, before the rungs are encoded whole. `finishVideo` removes the objects. */
export async function forgetChunks(
  { db }: Pick<ActivityDeps, 'db'>,
  { videoId }: IngestVideoInput,
): Promise<void> {
  const em = db.em.fork()
  await findLiveVideo(em, videoId)
  await forgetRungChunks(em, videoId)
}
