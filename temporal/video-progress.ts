import type { Client } from '@temporalio/client'
import { defaultPayloadConverter } from '@temporalio/common'
import type { temporal } from '@temporalio/proto'
import type { ActivityProgress, IngestProgress } from '../domain/ingest.ts'
import { videoWorkflowId } from './workflow-ids.ts'

/** How far a video is, each rendition with the fraction of it that is encoded (0 to 1). */
export interface VideoProgress {
  stage: IngestProgress['stage']
  /** From 0 to 1; null where the source did not say how long it is, or the download is over. */
  downloadFraction: number | null
  renditions: (IngestProgress['renditions'][number] & { fraction: number })[]
  /** Steps that have failed and are tried again. */
  troubles: StepTrouble[]
}

/** A step of a video that has failed and is tried again, with no end but success or two weeks. */
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
 * Reads a video's progress: the stages from the workflow's query, the fractions from the
 * heartbeats of its running activities, which the server keeps outside the history.
 * Throws WorkflowNotFoundError where no workflow was started yet.
 */
export async function readVideoProgress(client: Client, videoId: string): Promise<VideoProgress> {
  const handle = client.workflow.getHandle(videoWorkflowId(videoId))
  const [progress, description] = await Promise.all([
    handle.query<IngestProgress>('progress'),
    handle.describe(),
  ])
  const pending = description.raw.pendingActivities ?? []
  const beats = pending.flatMap(({ heartbeatDetails }) => {
    const payload = heartbeatDetails?.payloads?.[0]
    return payload ? [defaultPayloadConverter.fromPayload<ActivityProgress>(payload)] : []
  })
  const fractionOf = (name: string): number =>
    beats.find(({ rendition }) => rendition === name)?.fraction ?? 0
  return {
    stage: progress.stage,
    downloadFraction: beats.find(({ bytes }) => bytes !== undefined)?.fraction ?? null,
    renditions: progress.renditions.map((one) => ({
      ...one,
      fraction: one.stage === 'published' ? 1 : fractionOf(one.name),
    })),
    troubles: pending.flatMap(troubleOf),
  }
}

type PendingActivity = temporal.api.workflow.v1.IPendingActivityInfo

function troubleOf(pending: PendingActivity): StepTrouble[] {
  const { activityType, attempt, lastFailure, nextAttemptScheduleTime: next } = pending
  if (!lastFailure) return []
  const type = lastFailure.applicationFailureInfo?.type
  const message = lastFailure.message ?? ''
  return [
    {
      step: activityType?.name ?? '',
      attempt: attempt ?? 1,
      failure: type && !message.includes(type) ? `${type}: ${message}` : message,
      nextAttemptAt: next ? new Date(Number(next.seconds) * 1000) : null,
    },
  ]
}
