import { defineSearchAttributeKey } from '@temporalio/common'

/**
 * Task queues by kind of load, so that each scales separately. A slow link occupies a slot of `download`, and never the
 * short steps of `ingest`. What makes a video playable waits in
 * `encode-first`, which has its own encoders on each machine: it never waits for a long encode. The videos of a backlog wait in
 * `encode`, also to be prepared. `deliveries` has the workflows of deliveries alone; those that a release before began are in
 * `webhooks`, beside upkeep and replays.
 */
export const TASK_QUEUES = {
  ingest: 'ingest',
  download: 'download',
  'encode-first': 'encode-first',
  encode: 'encode',
  webhooks: 'webhooks',
  deliveries: 'deliveries',
} as const

export type TaskQueue = keyof typeof TASK_QUEUES

/** Where the workflows are: those of deliveries may have a namespace of their own (ADR 0060). */
export interface Namespaces {
  main: string
  deliveries: string
}

/** Returns the namespace of a task queue. */
export const namespaceOf = (queue: TaskQueue, { main, deliveries }: Namespaces): string =>
  queue === 'deliveries' ? deliveries : main

/**
 * Task queues with workflows; the others have only activities. Their workers always poll, even when all slots
 * for activities are in use.
 */
export const WORKFLOW_QUEUES: readonly TaskQueue[] = [
  TASK_QUEUES.ingest,
  TASK_QUEUES.webhooks,
  TASK_QUEUES.deliveries,
]

/** The Schedule that finds lost work every minute. */
export const SWEEP_SCHEDULE_ID = 'sweep-outbox'

/** The Schedule that deletes data after its retention period. */
export const RETENTION_SCHEDULE_ID = 'purge-history'

/** The Schedule that removes objects that no video needs. */
export const OBJECTS_SCHEDULE_ID = 'reconcile-objects'

/** The Schedules that fold the sums of accounts every minute, and check them each night. */
export const FOLD_SCHEDULE_ID = 'fold-sums'
export const CHECK_SCHEDULE_ID = 'check-sums'
export const AUDIENCE_SCHEDULE_ID = 'count-audience'

/** Search attributes: operators filter workflows by them, in the Web UI and the CLI. */
export const ACCOUNT_ID = defineSearchAttributeKey('AccountId', 'INT')
export const VIDEO_ID = defineSearchAttributeKey('VideoId', 'KEYWORD')
export const VIDEO_STATUS = defineSearchAttributeKey('VideoStatus', 'KEYWORD')
