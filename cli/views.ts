import type { Account, Plan } from '../db/entities/account.ts'
import type { WebhookAttempt, WebhookDelivery } from '../db/entities/event.ts'
import type { Video } from '../db/entities/video.ts'
import type { ReplayDetails } from '../db/webhook-replays.ts'
import { isPlanActive } from '../domain/plan.ts'
import { isoUtc } from '../domain/timestamps.ts'
import type { StepTrouble } from '../temporal/video-progress.ts'
import { isoUtcOrNull } from '../views/values.ts'

/** A plan as `--json` shows it. */
export const viewPlan = (plan: Plan, now: Date) => ({
  object: 'plan',
  account_id: plan.accountId,
  protection: plan.protection,
  is_active: plan.isActive,
  /** Null: not limited. */
  storage_limit_bytes: plan.storageLimitBytes,
  /** Of a calendar month; null: not limited. */
  bandwidth_limit_bytes: plan.bandwidthLimitBytes,
  /** Of a calendar month; null: not limited. */
  encoding_limit_minutes: plan.encodingLimitMinutes,
  ends_at: isoUtcOrNull(plan.endsAt),
  /** Whether it admits a video at this moment. */
  in_force: isPlanActive(plan, now),
})

/** An account as `--json` shows it. */
export const viewAccount = (account: Account, plan: Plan | null, now: Date) => ({
  id: account.id,
  object: 'account',
  name: account.name,
  plan: plan && viewPlan(plan, now),
  created_at: isoUtc(account.createdAt),
})

/** A video as `--json` shows it; of its source only the host, since the rest may be a secret. */
export const viewVideo = (video: Video) => ({
  id: video.id,
  object: 'video',
  account_id: video.accountId,
  status: video.status,
  title: video.title,
  source_host: URL.parse(video.sourceUrl)?.host ?? null,
  protection: video.protection,
  duration: video.durationMs === null ? null : video.durationMs / 1000,
  size_bytes: video.sizeBytes,
  width: video.width,
  height: video.height,
  error: video.errorCode && { code: video.errorCode, message: video.errorMessage },
  created_at: isoUtc(video.createdAt),
  updated_at: isoUtc(video.updatedAt),
  deleted_at: isoUtcOrNull(video.deletedAt),
})

/** A step that fails and is tried again, as `videos show --json` lists it. */
export const viewTrouble = ({ step, attempt, failure, nextAttemptAt }: StepTrouble) => ({
  step,
  attempt,
  failure,
  next_attempt_at: isoUtcOrNull(nextAttemptAt),
})

/** A delivery with its attempts as `--json` shows it. */
export const viewDelivery = (delivery: WebhookDelivery, attempts: WebhookAttempt[]) => ({
  id: delivery.id,
  object: 'webhook_delivery',
  account_id: delivery.accountId,
  endpoint_id: delivery.endpointId,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  retry_of: delivery.retryOf,
  replay_id: delivery.replayId,
  status: delivery.status,
  attempt_count: delivery.attemptCount,
  next_retry_at: isoUtcOrNull(delivery.nextRetryAt),
  error_code: delivery.errorCode,
  created_at: isoUtc(delivery.createdAt),
  completed_at: isoUtcOrNull(delivery.completedAt),
  attempts: attempts.map((attempt) => ({
    number: attempt.number,
    trigger: attempt.trigger,
    started_at: isoUtc(attempt.startedAt),
    duration_ms: attempt.durationMs,
    response_status: attempt.responseStatus,
    error_code: attempt.errorCode,
  })),
})

/** A replay of webhooks as `--json` shows it. */
export const viewReplay = ({ replay, deliveries }: ReplayDetails) => ({
  id: replay.id,
  object: 'webhook_replay',
  account_id: replay.accountId,
  endpoint_id: replay.endpointId,
  since: isoUtc(replay.since),
  until: isoUtc(replay.until),
  status: replay.status,
  state: replay.state,
  event_count: replay.eventCount,
  scanned_count: replay.scannedCount,
  deliveries,
  created_at: isoUtc(replay.createdAt),
  completed_at: replay.completedAt && isoUtc(replay.completedAt),
})
