import { heartbeat } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import type { Database } from '../../db/database.ts'
import {
  findUnfinishedDeliveries,
  findUnfinishedReplays,
  findUnfinishedVideos,
  findUnremovedAccounts,
  findUnremovedVideos,
  findUnsettledEndpoints,
  findWaitingPosters,
  type FindUnfinished,
  type UnfinishedWork,
} from '../../db/outbox/outbox-sweep.ts'
import { parsePosterSubject } from '../../db/outbox/workflow-requests.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'
import {
  accountDeletionWorkflowId,
  deletionWorkflowId,
  deliveryWorkflowId,
  endpointWorkflowId,
  posterWorkflowId,
  replayWorkflowId,
  videoWorkflowId,
} from '../../domain/workflow-ids.ts'
import { isRunning } from '../../temporal/workflow-runs.ts'

const PAGE_ROWS = 200
const DESCRIBE_CONCURRENCY = 20

/** The number of rows without a workflow, for which the sweep requested another one. */
export interface SweepResult {
  deliveries: number
  videos: number
  deletions: number
  replays: number
  posters: number
  accounts: number
  endpoints: number
}

/**
 * Finds rows with unfinished work and without a running workflow (Temporal's store was lost or restored, or
 * a workflow was terminated), and requests their workflows again. Safe to run twice and concurrently with the
 * relay: a row that has a workflow by then keeps it.
 */
export async function sweepOutbox({
  db,
  client,
}: {
  db: Database
  client: Client
}): Promise<SweepResult> {
  const sweep = async (find: FindUnfinished): Promise<number> => {
    let count = 0
    let after: string | null = null
    for (;;) {
      const page = await find(db.em.fork(), after, PAGE_ROWS)
      const lost = await withoutWorkflow(client, page)
      await db.em.fork().transactional((tx) => requestWorkflows(tx, lost))
      count += lost.length
      after = page.at(-1)?.subjectId ?? null
      heartbeat({ after })
      if (page.length < PAGE_ROWS) return count
    }
  }
  return {
    deliveries: await sweep(findUnfinishedDeliveries),
    videos: await sweep(findUnfinishedVideos),
    deletions: await sweep(findUnremovedVideos),
    replays: await sweep(findUnfinishedReplays),
    posters: await sweep(findWaitingPosters),
    accounts: await sweep(findUnremovedAccounts),
    endpoints: await sweep(findUnsettledEndpoints),
  }
}

async function withoutWorkflow(client: Client, page: UnfinishedWork[]): Promise<UnfinishedWork[]> {
  const lost: UnfinishedWork[] = []
  for (let start = 0; start < page.length; start += DESCRIBE_CONCURRENCY) {
    const some = page.slice(start, start + DESCRIBE_CONCURRENCY)
    const running = await Promise.all(some.map((work) => isRunning(client, workflowIdOf(work))))
    lost.push(...some.filter((_, index) => !running[index]))
  }
  return lost
}

function workflowIdOf({ command, subjectId }: UnfinishedWork): string {
  switch (command) {
    case 'ingest-video':
      return videoWorkflowId(subjectId)
    case 'delete-video':
      return deletionWorkflowId(subjectId)
    case 'deliver-webhook':
      return deliveryWorkflowId(Number(subjectId))
    case 'replay-webhooks':
      return replayWorkflowId(Number(subjectId))
    case 'delete-account':
      return accountDeletionWorkflowId(Number(subjectId))
    case 'settle-endpoint':
      return endpointWorkflowId(Number(subjectId))
    case 'set-poster': {
      const { videoId, number } = parsePosterSubject(subjectId)
      return posterWorkflowId(videoId, number)
    }
  }
}
