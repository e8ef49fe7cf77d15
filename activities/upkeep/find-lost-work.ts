import { log } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import type { UnfinishedWork } from '../../db/outbox/outbox-sweep.ts'
import { parsePosterSubject } from '../../db/outbox/workflow-requests.ts'
import {
  accountDeletionWorkflowId,
  deletionWorkflowId,
  deliveryWorkflowId,
  endpointWorkflowId,
  importWorkflowId,
  posterWorkflowId,
  replayWorkflowId,
  videoWorkflowId,
} from '../../domain/workflow-ids.ts'
import { isRunningInAny, listRunning } from '../../temporal/workflow-runs.ts'

const DESCRIBE_CONCURRENCY = 20
/**
 * The list of running workflows is a copy of Temporal's state, which can be older than that after a restore. So the workflow
 * of each row is looked up by itself once in so many minutes, although it is in the list.
 */
const LOOK_UP_EVERY_MINUTES = 15

export interface LostWork {
  lost: UnfinishedWork[]
  /** The number of rows about which Temporal did not respond. */
  skipped: number
}

/**
 * Finds the work of `page` without a running workflow in any of the namespaces `places`. One call for each of them lists the running workflows of the page; only those that are
 * not in the list, and a fifteenth of the others, are looked up one by one. Throws if twenty of them in a row have no response.
 */
export async function findLostWork(
  places: Client[],
  page: UnfinishedWork[],
  { onProgress, nowMs }: { onProgress: () => void; nowMs: number },
): Promise<LostWork> {
  const listed = await listIn(places, page.map(workflowIdOf))
  const minute = Math.floor(nowMs / 60_000)
  const unknown = page.filter((work) => {
    const id = workflowIdOf(work)
    return !listed.has(id) || turnOf(id) === minute % LOOK_UP_EVERY_MINUTES
  })
  const found: LostWork = { lost: [], skipped: 0 }
  for (let start = 0; start < unknown.length; start += DESCRIBE_CONCURRENCY) {
    await lookUp(places, unknown.slice(start, start + DESCRIBE_CONCURRENCY), found)
    onProgress()
  }
  return found
}

async function listIn(places: Client[], workflowIds: string[]): Promise<Set<string>> {
  const lists = await Promise.all(
    places.map((client) =>
      listRunning(client, workflowIds).catch((error: unknown) => {
        log.warn('Temporal did not list running workflows', { error })
        return []
      }),
    ),
  )
  return new Set(lists.flat())
}

async function lookUp(places: Client[], works: UnfinishedWork[], found: LostWork): Promise<void> {
  const results = await Promise.allSettled(
    works.map((work) => isRunningInAny(places, workflowIdOf(work))),
  )
  const failed = results.filter((result) => result.status === 'rejected')
  if (failed.length === DESCRIBE_CONCURRENCY) throw failed[0]?.reason
  found.skipped += failed.length
  found.lost.push(
    ...works.filter((_, index) => {
      const result = results[index]
      return result?.status === 'fulfilled' && !result.value
    }),
  )
}

/** The minute of fifteen in which a workflow is looked up by itself. */
const turnOf = (workflowId: string): number =>
  Buffer.from(workflowId).reduce((sum, byte) => sum + byte, 0) % LOOK_UP_EVERY_MINUTES

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
    case 'import-videos':
      return importWorkflowId(Number(subjectId))
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
