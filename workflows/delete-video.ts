import { proxyActivities } from '@temporalio/workflow'
import type { DeleteActivities } from '../activities/delete-activities.ts'
import { STALL_MS } from '../domain/ingest.ts'
import { TASK_QUEUES } from '../temporal/task-queues.ts'
import { OUR_FAULTS } from './our-faults.ts'

export interface DeleteVideoInput {
  videoId: string
  accountId: number
}

/** What was deleted must go, however long Temporal, the database or the storage are away. */
const { stopIngest, removeVideo } = proxyActivities<DeleteActivities>({
  taskQueue: TASK_QUEUES.ingest,
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: STALL_MS,
  retry: OUR_FAULTS.retry,
})

/** Ends the work on a video that was deleted, then removes everything that is stored of it. */
export async function deleteVideo(input: DeleteVideoInput): Promise<void> {
  await stopIngest.executeWithOptions({ summary: 'Stop its ingest' }, [input])
  await removeVideo.executeWithOptions({ summary: 'Remove its objects' }, [input])
}
