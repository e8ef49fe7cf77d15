import type { Client } from '@temporalio/client'
import type { temporal } from '@temporalio/proto'
import { videoWorkflowId } from './workflow-ids.ts'

/** A step of a video that has failed and is tried again. */
export interface StepTrouble {
  /** The activity, such as `encodeRung`. */
  step: string
  /** Of the attempt that runs, or is next. */
  attempt: number
  /** Why the last attempt failed; never carries the source URL. */
  failure: string
  /** Null while an attempt runs. */
  nextAttemptAt: Date | null
}

/**
 * Reads what of a video's work fails and is tried again; no worker has to run for it. Throws
 * WorkflowNotFoundError where no workflow was started yet.
 */
export async function readStepTroubles(client: Client, videoId: string): Promise<StepTrouble[]> {
  const { raw } = await client.workflow.getHandle(videoWorkflowId(videoId)).describe()
  return (raw.pendingActivities ?? []).flatMap(troubleOf)
}

function troubleOf(pending: temporal.api.workflow.v1.IPendingActivityInfo): StepTrouble[] {
  const { activityType, attempt, lastFailure, nextAttemptScheduleTime: next } = pending
  if (!lastFailure) return []
  const type = lastFailure.applicationFailureInfo?.type ?? ''
  const message = lastFailure.message ?? ''
  return [
    {
      step: activityType?.name ?? '',
      attempt: attempt ?? 1,
      failure: message.includes(type) ? message : `${type}: ${message}`,
      nextAttemptAt: next ? new Date(Number(next.seconds) * 1000) : null,
    },
  ]
}
