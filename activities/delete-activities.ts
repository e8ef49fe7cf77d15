import type { Client } from '@temporalio/client'
import type { ActivityDeps } from './deps.ts'
import { createRemoveVideo } from './remove-video.ts'
import { createStopIngest } from './stop-ingest.ts'

export type DeleteDeps = Pick<ActivityDeps, 'db' | 'storage' | 'workDir'> & { client: Client }

/** What the `ingest` task queue runs for a video that was deleted. */
export const createDeleteActivities = (deps: DeleteDeps) => ({
  stopIngest: createStopIngest(deps),
  removeVideo: createRemoveVideo(deps),
})

export type DeleteActivities = ReturnType<typeof createDeleteActivities>
