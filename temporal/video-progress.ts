import type { Client } from '@temporalio/client'
import { defaultPayloadConverter } from '@temporalio/common'
import type { ActivityProgress, IngestProgress } from '../domain/ingest.ts'
import { videoWorkflowId } from './workflow-ids.ts'

/** How far a video is, each rendition with the fraction of it that is encoded (0 to 1). */
export interface VideoProgress {
  stage: IngestProgress['stage']
  /** From 0 to 1; null where the source did not say how long it is, or the download is over. */
  downloadFraction: number | null
  renditions: (IngestProgress['renditions'][number] & { fraction: number })[]
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
  const beats = (description.raw.pendingActivities ?? []).flatMap(({ heartbeatDetails }) => {
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
  }
}
