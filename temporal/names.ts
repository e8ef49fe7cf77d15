import { defineSearchAttributeKey } from '@temporalio/common'

/**
 * Task queues by kind of load, so that each scales separately. A slow link occupies a slot of `download`, and never the
 * short steps of `ingest`. What makes a video playable waits in
 * `encode-first`, which has its own encoders on each machine: it never waits for a long encode.
 */
export const TASK_QUEUES = {
  ingest: 'ingest',
  download: 'download',
  'encode-first': 'encode-first',
  encode: 'encode',
  webhooks: 'webhooks',
} as const

/**
 * Task queues with workflows; the others have only activities. Their workers always poll, even when all slots
 * for activities are in use.
 */
export const WORKFLOW_QUEUES: readonly string[] = [TASK_QUEUES.ingest, TASK_QUEUES.webhooks]

/** The Schedule that finds lost work every minute. */
export const SWEEP_SCHEDULE_ID = 'sweep-outbox'

/** The Schedule that deletes data after its retention period. */
export const RETENTION_SCHEDULE_ID = 'purge-history'

/** The Schedule that removes objects that no video needs. */
export const OBJECTS_SCHEDULE_ID = 'reconcile-objects'

/** Search attributes: operators filter workflows by them, in the Web UI and the CLI. */
export const ACCOUNT_ID = defineSearchAttributeKey('AccountId', 'INT')
export const VIDEO_ID = defineSearchAttributeKey('VideoId', 'KEYWORD')
export const VIDEO_STATUS = defineSearchAttributeKey('VideoStatus', 'KEYWORD')
