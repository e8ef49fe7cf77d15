import type { WorkflowOptions } from '@temporalio/client'
import type { ClaimedRequest } from '../db/outbox/write-workflow-requests.ts'

export type StartOptions<Input> = WorkflowOptions & { args: [Input] }

/**
 * A running workflow is kept. A workflow may follow one that has ended, because the sweep, or a relay that
 * was killed before it deleted the row, may repeat a request. That is harmless: the first activity of each
 * workflow reads the row and ends if nothing is left to do.
 */
const ONE_AT_A_TIME = {
  workflowIdConflictPolicy: 'USE_EXISTING',
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
} as const

/** The accounts of a task queue take turns. */
export const fairnessOf = ({ accountId }: ClaimedRequest) => ({ fairnessKey: String(accountId) })

/** What all workflows have. The memo connects one with the HTTP request and its log lines. */
export const commonOptions = (request: ClaimedRequest) => ({
  ...ONE_AT_A_TIME,
  ...(request.requestId !== null && { memo: { requestId: request.requestId } }),
  priority: fairnessOf(request),
})
