/** One ingest workflow a video: a repeated start collapses into the first. */
export const videoWorkflowId = (videoId: string): string => `video-${videoId}`

/** One workflow a deletion. */
export const deletionWorkflowId = (videoId: string): string => `delete-video-${videoId}`

/** One workflow a delivery. */
export const deliveryWorkflowId = (deliveryId: number): string => `webhook-delivery-${deliveryId}`

/** One workflow a replay. */
export const replayWorkflowId = (replayId: number): string => `webhook-replay-${replayId}`

/** The Schedule that reconciles every minute. */
export const SWEEP_SCHEDULE_ID = 'sweep-outbox'

/** The Schedule that deletes what has been kept for long enough. */
export const RETENTION_SCHEDULE_ID = 'purge-history'
