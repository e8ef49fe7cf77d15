import { Context } from '@temporalio/activity'
import type { CreateContentKeysInput } from '../../domain/ingest/ingest.ts'
import type { ActivityDeps } from '../deps.ts'
import { findLiveVideo } from '../ingest/ingest-step.ts'
import { recordWaiting } from '../ingest/record-progress.ts'
import { reportVideoProgress } from '../ingest/report-progress.ts'
import { ensureContentKeys } from './content-keys.ts'

/**
 * Gets the content keys of a Multi-DRM video. An activity of its own, so that a DRM provider that is away for hours
 * costs one small request at each attempt, and the video is not probed again.
 */
export async function createContentKeys(
  deps: ActivityDeps,
  input: CreateContentKeysInput,
): Promise<void> {
  reportVideoProgress(deps, { videoId: input.videoId, names: ['keys'] }, { fraction: null })
  const em = deps.db.em.fork()
  const video = await findLiveVideo(em, input.videoId)
  const { cancellationSignal } = Context.current()
  await ensureContentKeys(deps, em, video, input.trackTypes, cancellationSignal)
  await recordWaiting(deps, video.id, input.renditions)
}
