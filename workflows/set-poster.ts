import { proxyActivities } from '@temporalio/workflow'
import type { createIngestActivities } from '../activities/ingest/ingest-activities.ts'
import {
  ENDLESS_RETRY,
  HEARTBEAT_TIMEOUT_MS,
  type SetPosterInput,
} from '../domain/ingest/ingest.ts'
import { TASK_QUEUES } from '../temporal/names.ts'

const activities = proxyActivities<ReturnType<typeof createIngestActivities>>({
  taskQueue: TASK_QUEUES.ingest,
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  // The retention then gives the upload up too (`db/videos/write-poster-uploads.ts`).
  scheduleToCloseTimeout: '1 day',
  ...ENDLESS_RETRY,
})

/** Makes an uploaded picture the poster of its video. */
export async function setPoster(input: SetPosterInput): Promise<void> {
  await activities.setPoster.executeWithOptions({ summary: 'Encode and publish it' }, [input])
}
