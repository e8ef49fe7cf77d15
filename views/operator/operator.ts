import { z } from 'zod'
import type { AccountWithPlan } from '../../db/accounts/operator.ts'
import type { Plan } from '../../db/entities/account.ts'
import type { VideoDetails } from '../../db/videos/video-details.ts'
import type { DeliveryWithAttempts } from '../../db/webhooks/webhook-deliveries.ts'
import type { ReplayDetails } from '../../db/webhooks/webhook-replays.ts'
import { OUTPUT_PROTECTIONS } from '../../domain/drm/licence-policy.ts'
import {
  accountSchema,
  accountView,
  planSchema,
  planView,
  protection,
} from '../accounts/account.ts'
import { isoUtcOrNull, rowId, timestamp } from '../values.ts'
import { videoSchema, videoView } from '../videos/video.ts'
import { deliverySchema, deliveryView } from '../webhooks/webhook-delivery.ts'
import { replaySchema, replayView } from '../webhooks/webhook-replay.ts'

// The objects of the API with the fields that only the operator sees, as the command line shows them.

const operatorFields = { account_id: rowId }

/** The plan object with `is_enabled` and the policy of Multi-DRM licences. */
export const operatorPlanSchema = planSchema.extend({
  ...operatorFields,
  is_enabled: z.boolean().meta({
    description: 'Whether the operator has enabled the plan. is_active also depends on ends_at.',
  }),
  hd_needs_hardware: z.boolean(),
  uhd_needs_hardware: z.boolean(),
  output_protection: z.enum(OUTPUT_PROTECTIONS),
  licence_seconds: z.int(),
  renewal_seconds: z.int().nullable(),
})

/** The plan object with `is_enabled` and the policy of Multi-DRM licences. */
export const operatorPlanView = (plan: Plan, now: Date): z.output<typeof operatorPlanSchema> => ({
  ...planView(plan, now),
  account_id: plan.accountId,
  is_enabled: plan.isActive,
  hd_needs_hardware: plan.hdNeedsHardware,
  uhd_needs_hardware: plan.uhdNeedsHardware,
  output_protection: plan.outputProtection,
  licence_seconds: plan.licenceSeconds,
  renewal_seconds: plan.renewalSeconds,
})

/** The account object with its whole plan, also when that is not active. */
export const operatorAccountSchema = accountSchema.extend({ plan: operatorPlanSchema.nullable() })

/** The account object with its whole plan. */
export const operatorAccountView = (
  { account, plan }: AccountWithPlan,
  now: Date,
): z.output<typeof operatorAccountSchema> => ({
  ...accountView(account, plan),
  plan: plan && operatorPlanView(plan, now),
})

/** The video object with its account, its protection, and the host of its source. */
export const operatorVideoSchema = videoSchema.extend({
  ...operatorFields,
  protection,
  // The rest of the link may contain a secret.
  source_host: z.string().nullable(),
  deleted_at: timestamp('When the video was deleted.').nullable(),
})

/** The video object with its account, its protection, and the host of its source. */
export const operatorVideoView = (
  details: VideoDetails,
  embedBase: string,
): z.output<typeof operatorVideoSchema> => ({
  ...videoView(details, embedBase),
  account_id: details.video.accountId,
  protection: details.video.protection,
  source_host: URL.parse(details.video.sourceUrl)?.host ?? null,
  deleted_at: isoUtcOrNull(details.video.deletedAt),
})

/** A failing step of an ingest, which Temporal retries. */
export const stepTroubleSchema = z.strictObject({
  step: z.string(),
  attempt: z.int(),
  failure: z.string(),
  next_attempt_at: timestamp('When the next attempt begins.').nullable(),
})

/** A failing step of an ingest, which Temporal retries. */
export const stepTroubleView = (trouble: {
  step: string
  attempt: number
  failure: string
  nextAttemptAt: Date | null
}): z.output<typeof stepTroubleSchema> => ({
  step: trouble.step,
  attempt: trouble.attempt,
  failure: trouble.failure,
  next_attempt_at: isoUtcOrNull(trouble.nextAttemptAt),
})

/** The webhook delivery object with its account. */
export const operatorDeliverySchema = deliverySchema.extend(operatorFields)

/** The webhook delivery object with its account. */
export const operatorDeliveryView = (
  details: DeliveryWithAttempts,
): z.output<typeof operatorDeliverySchema> => ({
  ...deliveryView(details),
  account_id: details.delivery.accountId,
})

/** The webhook replay object with its account. */
export const operatorReplaySchema = replaySchema.extend(operatorFields)

/** The webhook replay object with its account. */
export const operatorReplayView = (
  details: ReplayDetails,
): z.output<typeof operatorReplaySchema> => ({
  ...replayView(details),
  account_id: details.replay.accountId,
})
