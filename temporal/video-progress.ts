import { WorkflowNotFoundError, type Client } from '@temporalio/client'
import { defaultPayloadConverter } from '@temporalio/common'
import type { temporal } from '@temporalio/proto'
import type {
  ActivityProgress,
  IngestProgress,
  RenditionProgress,
} from '../domain/ingest/ingest.ts'
import { videoWorkflowId } from '../domain/workflow-ids.ts'

type PendingActivity = temporal.api.workflow.v1.IPendingActivityInfo

/** A video's progress; each rendition with its encoded fraction (0 to 1). */
export interface VideoProgress {
  stage: IngestProgress['stage']
  /** From 0 to 1; null if the source states no length, or the download is over. */
  downloadFraction: number | null
  renditions: (RenditionProgress & { fraction: number })[]
}

/**
 * Reads a video's progress: the stages from the workflow's query, the fractions from the
 * heartbeats of its running activities, which the server keeps outside the history.
 * Throws WorkflowNotFoundError if no workflow was started yet.
 */
export async function readVideoProgress(client: Client, videoId: string): Promise<VideoProgress> {
  const handle = client.workflow.getHandle(videoWorkflowId(videoId))
  const [progress, pending] = await Promise.all([
    handle.query<IngestProgress>('progress'),
    readPendingActivities(client, videoId),
  ])
  const beats = pending.flatMap(lastHeartbeat)
  return {
    stage: progress.stage,
    downloadFraction: beats.find(({ bytes }) => bytes !== undefined)?.fraction ?? null,
    renditions: progress.renditions.map((rendition) => ({
      ...rendition,
      fraction: rendition.stage === 'published' ? 1 : fractionOf(rendition, beats),
    })),
  }
}

/** Recorded chunks, and what is done of those that are encoded now. */
function fractionOf({ name, chunks }: RenditionProgress, beats: ActivityProgress[]): number {
  const running = beats.filter(({ renditions }) => renditions?.includes(name))
  const parts = running.reduce((sum, { fraction }) => sum + (fraction ?? 0), 0)
  const { done, count } = chunks ?? { done: 0, count: 1 }
  return Math.min(1, (done + parts) / count)
}

/** Reads the running and waiting activities of a video's workflow, and of its children: a long video has some. */
async function readPendingActivities(client: Client, videoId: string): Promise<PendingActivity[]> {
  const { raw } = await client.workflow.getHandle(videoWorkflowId(videoId)).describe()
  const children = await Promise.all(
    (raw.pendingChildren ?? []).map(({ workflowId, runId }) =>
      describeChild(client, workflowId ?? '', runId ?? undefined),
    ),
  )
  return [...(raw.pendingActivities ?? []), ...children.flat()]
}

/** Returns no activities of a child that has ended meanwhile, and whose history is deleted. */
async function describeChild(
  client: Client,
  workflowId: string,
  runId: string | undefined,
): Promise<PendingActivity[]> {
  try {
    const { raw } = await client.workflow.getHandle(workflowId, runId).describe()
    return raw.pendingActivities ?? []
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return []
    throw error
  }
}

function lastHeartbeat({ heartbeatDetails }: PendingActivity): ActivityProgress[] {
  const payload = heartbeatDetails?.payloads?.[0]
  return payload ? [defaultPayloadConverter.fromPayload<ActivityProgress>(payload)] : []
}

/** A step of a video that has failed and is retried. */
export interface StepTrouble {
  /** The activity, such as `encodeChunk`. */
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
  return (await readPendingActivities(client, videoId)).flatMap(troubleOf)
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
