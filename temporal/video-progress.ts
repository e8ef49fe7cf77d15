import type { Client } from '@temporalio/client'
import { defaultPayloadConverter } from '@temporalio/common'
import type { temporal } from '@temporalio/proto'
import type { ActivityProgress, IngestProgress } from '../domain/ingest.ts'
import { videoWorkflowId } from '../domain/workflow-ids.ts'

type PendingActivity = temporal.api.workflow.v1.IPendingActivityInfo

/** A video's progress; each rendition with its encoded fraction (0 to 1). */
export interface VideoProgress {
  stage: IngestProgress['stage']
  /** From 0 to 1; null if the source states no length, or the download is over. */
  downloadFraction: number | null
  renditions: (IngestProgress['renditions'][number] & { fraction: number })[]
}

/**
 * Reads a video's progress: the stages from the workflow's query, the fractions from the
 * heartbeats of its running activities, which the server keeps outside the history.
 * Throws WorkflowNotFoundError if no workflow was started yet.
 */
export async function readVideoProgress(client: Client, videoId: string): Promise<VideoProgress> {
  const handle = client.workflow.getHandle(videoWorkflowId(videoId))
  const [progress, { raw }] = await Promise.all([
    handle.query<IngestProgress>('progress'),
    handle.describe(),
  ])
  const beats = (raw.pendingActivities ?? []).flatMap(lastHeartbeat)
  const fractionOf = (name: string): number =>
    beats.find(({ rendition }) => rendition === name)?.fraction ?? 0
  return {
    stage: progress.stage,
    downloadFraction: beats.find(({ bytes }) => bytes !== undefined)?.fraction ?? null,
    renditions: progress.renditions.map(({ name, stage }) => ({
      name,
      stage,
      fraction: stage === 'published' ? 1 : fractionOf(name),
    })),
  }
}

function lastHeartbeat({ heartbeatDetails }: PendingActivity): ActivityProgress[] {
  const payload = heartbeatDetails?.payloads?.[0]
  return payload ? [defaultPayloadConverter.fromPayload<ActivityProgress>(payload)] : []
}

/** A step of a video that has failed and is retried. */
export interface StepTrouble {
  /** The activity, such as `encodeRung`. */
  step: string
  /** The number of the running or next attempt. */
  attempt: number
  /** Why the last attempt failed; never contains the source URL. */
  failure: string
  /** Null while an attempt runs. */
  nextAttemptAt: Date | null
}

/**
 * Reads the steps of a video that fail and are retried; works without a running worker. Throws
 * WorkflowNotFoundError if no workflow was started yet.
 */
export async function readStepTroubles(client: Client, videoId: string): Promise<StepTrouble[]> {
  const { raw } = await client.workflow.getHandle(videoWorkflowId(videoId)).describe()
  return (raw.pendingActivities ?? []).flatMap(troubleOf)
}

function troubleOf(pending: PendingActivity): StepTrouble[] {
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
