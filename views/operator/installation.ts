import { z } from 'zod'
import type {
  AnyFailedVideo,
  AnyFailingEndpoint,
  VideoDelivery,
} from '../../db/accounts/operator.ts'
import type { Video } from '../../db/entities/video.ts'
import type { Backlog } from '../../db/ingest/backlog.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import type { RecordedProgress } from '../../domain/videos/video-progress.ts'
import { videoWorkflowId } from '../../domain/workflow-ids.ts'
import { isoUtcOrNull, rowId, timestamp } from '../values.ts'
import { videoProgressSchema, videoProgressView } from '../videos/video-progress.ts'
import { videoId, videoStatus } from '../videos/video.ts'
import { stepTroubleSchema } from './operator.ts'

// The objects of the page of operators.

/** A part of the page: its data, or the reason why there is none. */
const partSchema = <T extends z.ZodType>(data: T) =>
  z.strictObject({
    reason: z.string().nullable().meta({ description: 'Why there is no data; null if there is.' }),
    data: data.nullable(),
  })

export interface Part<T> {
  reason: string | null
  data: T | null
}

const backlogSchema = z.strictObject({
  count: z.int().meta({ description: 'Counted up to 10,001.' }),
  oldest_seconds: z.number(),
})

export const backlogView = ({ count, oldestSeconds }: Backlog): z.output<typeof backlogSchema> => ({
  count,
  oldest_seconds: oldestSeconds,
})

const taskQueueSchema = z.strictObject({
  name: z.string(),
  type: z.enum(['workflow', 'activity']),
  backlog: z.int(),
  oldest_seconds: z.number(),
  pollers: z.int().nullable().meta({
    description: 'Workers that have polled lately; null for activities.',
  }),
})

export const taskQueueView = (queue: {
  taskQueue: string
  taskType: 'workflow' | 'activity'
  backlogTasks: number
  backlogAgeSeconds: number
  pollers: number | null
}): z.output<typeof taskQueueSchema> => ({
  name: queue.taskQueue,
  type: queue.taskType,
  backlog: queue.backlogTasks,
  oldest_seconds: queue.backlogAgeSeconds,
  pollers: queue.pollers,
})

const failedVideoSchema = z.strictObject({
  id: videoId,
  account_id: rowId,
  title: z.string(),
  error_code: z.string().nullable(),
  failed_at: timestamp('When it failed.'),
})

export const anyFailedVideoView = (video: AnyFailedVideo): z.output<typeof failedVideoSchema> => ({
  id: video.id,
  account_id: video.accountId,
  title: video.title,
  error_code: video.errorCode,
  failed_at: isoUtc(video.updatedAt),
})

const endpointSchema = z.strictObject({
  id: rowId,
  account_id: rowId,
  host: z.string().meta({ description: 'The rest of the address may contain a secret.' }),
  failure_count: z.int(),
  disabled_reason: z.string().nullable(),
})

export const anyFailingEndpointView = (
  endpoint: AnyFailingEndpoint,
): z.output<typeof endpointSchema> => ({
  id: endpoint.id,
  account_id: endpoint.accountId,
  host: URL.parse(endpoint.url)?.host ?? '',
  failure_count: endpoint.failureCount,
  disabled_reason: endpoint.disabledReason,
})

const diskSchema = z.strictObject({
  folder: z.string(),
  free_bytes: z.number(),
  size_bytes: z.number(),
  is_low: z.boolean(),
})

export const diskView = (disk: {
  folder: string
  freeBytes: number
  sizeBytes: number
  isLow: boolean
}): z.output<typeof diskSchema> => ({
  folder: disk.folder,
  free_bytes: disk.freeBytes,
  size_bytes: disk.sizeBytes,
  is_low: disk.isLow,
})

/** The state of the installation, part by part. */
export const installationSchema = z
  .strictObject({
    object: z.literal('installation'),
    processes: partSchema(
      z.array(z.strictObject({ name: z.string(), queues: z.array(z.string()) })),
    ),
    task_queues: partSchema(z.array(taskQueueSchema)),
    backlogs: partSchema(
      z.strictObject({ workflow_requests: backlogSchema, deliveries: backlogSchema }),
    ),
    failed_days: z.int().meta({ description: 'Videos that failed within these days are listed.' }),
    failed_videos: partSchema(z.array(failedVideoSchema)),
    failing_endpoints: partSchema(z.array(endpointSchema)),
    disks: partSchema(z.array(diskSchema)),
    versions: partSchema(
      z.strictObject({ reelgate: z.string(), node: z.string(), postgresql: z.string() }),
    ),
  })
  .meta({ id: 'Installation' })

/** The results of `doctor`. */
export const doctorReportSchema = z
  .strictObject({
    object: z.literal('doctor_report'),
    checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string() })),
  })
  .meta({ id: 'DoctorReport' })

const videoDeliverySchema = z.strictObject({
  id: rowId,
  event_type: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempt_count: z.int(),
  next_retry_at: timestamp('When the next attempt begins.').nullable(),
  error_code: z.string().nullable(),
})

/** A video of any account, with what an operator needs to say where it is, why, and what next. */
export const inspectedVideoSchema = z
  .strictObject({
    object: z.literal('inspected_video'),
    id: videoId,
    account_id: rowId,
    account_name: z.string(),
    title: z.string(),
    status: videoStatus,
    error_code: z.string().nullable(),
    error_message: z.string().nullable(),
    created_at: timestamp('When it was added.'),
    updated_at: timestamp('When it last changed.'),
    deleted_at: timestamp('When it was deleted.').nullable(),
    workflow_id: z.string(),
    can_retry: z.boolean().meta({ description: 'Whether a new video can be made from it.' }),
    progress: videoProgressSchema.nullable().meta({ description: 'Null if its ingest has ended.' }),
    troubles: partSchema(z.array(stepTroubleSchema)).meta({
      description: 'Steps that fail and are tried again.',
    }),
    deliveries: z.array(videoDeliverySchema).meta({ description: 'The newest of its events.' }),
  })
  .meta({ id: 'InspectedVideo' })

interface InspectedVideo {
  video: Video
  accountName: string
  progress: RecordedProgress | null
  troubles: Part<z.output<typeof stepTroubleSchema>[]>
  deliveries: VideoDelivery[]
}

export const inspectedVideoView = ({
  video,
  accountName,
  progress,
  troubles,
  deliveries,
}: InspectedVideo): z.output<typeof inspectedVideoSchema> => ({
  object: 'inspected_video',
  id: video.id,
  account_id: video.accountId,
  account_name: accountName,
  title: video.title,
  status: video.status,
  error_code: video.errorCode,
  error_message: video.errorMessage,
  created_at: isoUtc(video.createdAt),
  updated_at: isoUtc(video.updatedAt),
  deleted_at: isoUtcOrNull(video.deletedAt),
  workflow_id: videoWorkflowId(video.id),
  can_retry: video.status === 'failed' && video.deletedAt === null,
  progress: progress && videoProgressView(progress),
  troubles,
  deliveries: deliveries.map((delivery) => ({
    id: delivery.id,
    event_type: delivery.eventType,
    status: delivery.status,
    attempt_count: delivery.attemptCount,
    next_retry_at: isoUtcOrNull(delivery.nextRetryAt),
    error_code: delivery.errorCode,
  })),
})

/** The new video that a retry has made. */
export const retriedVideoSchema = z
  .strictObject({
    object: z.literal('retried_video'),
    id: videoId,
    account_id: rowId,
    retry_of: videoId,
  })
  .meta({ id: 'RetriedVideo' })
