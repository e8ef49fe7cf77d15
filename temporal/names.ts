import { defineSearchAttributeKey } from '@temporalio/common'

/** Task queues by kind of load, so that each scales separately. */
export const TASK_QUEUES = { ingest: 'ingest', encode: 'encode', webhooks: 'webhooks' } as const

/** One ingest workflow per video: a repeated start has no effect. */
export const videoWorkflowId = (videoId: string): string => `video-${videoId}`

/** One workflow per deletion. */
export const deletionWorkflowId = (videoId: string): string => `delete-video-${videoId}`

/** One workflow per delivery. */
export const deliveryWorkflowId = (deliveryId: number): string => `webhook-delivery-${deliveryId}`

/** One workflow per replay. */
export const replayWorkflowId = (replayId: number): string => `webhook-replay-${replayId}`

/** One workflow per uploaded poster. */
export const posterWorkflowId = (videoId: string, number: number): string =>
  `set-poster-${videoId}-${number}`

/** The Schedule that finds lost work every minute. */
export const SWEEP_SCHEDULE_ID = 'sweep-outbox'

/** The Schedule that deletes data after its retention period. */
export const RETENTION_SCHEDULE_ID = 'purge-history'

/** Search attributes: operators filter workflows by them, in the Web UI and the CLI. */
export const ACCOUNT_ID = defineSearchAttributeKey('AccountId', 'INT')
export const VIDEO_ID = defineSearchAttributeKey('VideoId', 'KEYWORD')
export const VIDEO_STATUS = defineSearchAttributeKey('VideoStatus', 'KEYWORD')
