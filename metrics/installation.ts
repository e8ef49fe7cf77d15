import { gauge } from './registry.ts'

export const outboxAge = gauge(
  'reelgate_outbox_oldest_age_seconds',
  'Age of the oldest committed workflow request that Temporal does not have yet; 0 if none waits.',
)

export const outboxRequests = gauge(
  'reelgate_outbox_requests',
  'Committed workflow requests that Temporal does not have yet, counted up to 10,001.',
)

export const oldestDelivery = gauge(
  'reelgate_webhook_oldest_pending_age_seconds',
  'Age of the oldest webhook delivery that has neither been delivered nor failed; 0 if none is pending. The schedule of retries takes about two and a half hours, up to eight with Retry-After.',
)

export const pendingDeliveries = gauge(
  'reelgate_webhook_pending_deliveries',
  'Webhook deliveries that have neither been delivered nor failed, counted up to 10,001.',
)

export const oldestPendingCaption = gauge(
  'reelgate_search_oldest_pending_age_seconds',
  'Age of the oldest change of a caption that the search does not have yet; 0 if none waits. The search follows within a minute; an archive that an upgrade has recorded takes longer.',
)

export const pendingCaptions = gauge(
  'reelgate_search_pending_captions',
  'Changes of captions that the search does not have yet, counted up to 10,001.',
)

export const workers = gauge(
  'reelgate_workers',
  'Workers that have reported to the database in the last seconds, by the task queue that they serve.',
  ['task_queue'],
)

export const sealedValues = gauge(
  'reelgate_sealed_values',
  'Stored keys and secrets by the version of the master key that has sealed them, counted every ten minutes; `none` if the text names no version.',
  ['kind', 'version'],
)

export const sequenceUse = gauge(
  'reelgate_sequence_used_share',
  'Share of its ids that a sequence of the database has given, from 0 to 1, read every ten minutes.',
  ['sequence'],
)

export const lastBackup = gauge(
  'reelgate_last_backup_timestamp_seconds',
  'When the newest backup of `reelgate backup` was completed; without one, when the first account was made. Seconds since 1970.',
)

export const taskQueuePollers = gauge(
  'reelgate_task_queue_pollers',
  'Workers that poll Temporal for tasks of workflows, which they do even when they are busy.',
  ['task_queue'],
)

export const taskQueueBacklog = gauge(
  'reelgate_task_queue_backlog_tasks',
  'Tasks that wait in Temporal for a worker, as estimated by Temporal.',
  ['task_queue', 'task_type'],
)

export const taskQueueAge = gauge(
  'reelgate_task_queue_backlog_age_seconds',
  'Age of the oldest task that waits in Temporal for a worker, as estimated by Temporal; 0 if none waits.',
  ['task_queue', 'task_type'],
)

export const oldestTransaction = gauge(
  'reelgate_database_oldest_transaction_age_seconds',
  'Age of the oldest open transaction of the PostgreSQL server that has written, in any database, prepared ones included; 0 if none is open.',
)

export const openUploads = gauge(
  'reelgate_open_uploads',
  'Uploads that take bytes, counted up to 10,001.',
)

export const openUploadBytes = gauge(
  'reelgate_open_upload_bytes',
  'What the counted uploads that take bytes have sent so far, in bytes.',
)

export const oldestUnremovedUpload = gauge(
  'reelgate_upload_oldest_unremoved_age_seconds',
  'How long ago the first upload was cancelled or expired of which something is still stored; 0 if there is none. It is removed within minutes.',
)
