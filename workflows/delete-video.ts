import { proxyActivities } from '@temporalio/workflow'
import type { createIngestActivities } from '../activities/ingest/ingest-activities.ts'
import { ENDLESS_RETRY, STALL_MS, type IngestVideoInput } from '../domain/ingest/ingest.ts'
import { TASK_QUEUES } from '../temporal/names.ts'

// Without a deadline for all attempts: a deletion must finish, however long a service is down.
const activities = proxyActivities<ReturnType<typeof createIngestActivities>>({
  taskQueue: TASK_QUEUES.ingest,
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: STALL_MS,
  ...ENDLESS_RETRY,
})

/** Stops the ingest of a deleted video, then removes its objects. */
export async function deleteVideo(input: IngestVideoInput): Promise<void> {
  await activities.stopIngest.executeWithOptions({ summary: 'Stop its ingest' }, [input])
  await activities.removeVideo.executeWithOptions({ summary: 'Remove its objects' }, [input])
}
