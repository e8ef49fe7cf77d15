import { z } from 'zod'
import type { ReplayCounts } from '../../db/webhooks/replayed-events.ts'
import type { ReplayDetails } from '../../db/webhooks/webhook-replays.ts'
import type { NewReplay } from '../../db/webhooks/write-webhook-replays.ts'
import { REPLAY_PREVIEW_PAIRS_MAX } from '../../domain/limits.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { REPLAY_STATUSES } from '../../domain/webhooks/webhook-delivery.ts'
import { listSchema } from '../list.ts'
import { isoUtcOrNull, rowId, timestamp } from '../values.ts'

export const replayStatus = z.enum(REPLAY_STATUSES).meta({
  id: 'WebhookReplayStatus',
  description:
    'Which events are sent. `failed`: attempted but never delivered. `delivered`: delivered before. `missing`: subscribed to but never attempted, because the endpoint was off or did not exist yet.',
})

const replayState = z.enum(['running', 'completed', 'cancelled']).meta({ id: 'WebhookReplayState' })

const count = z.int().min(0)

const EVENT_COUNT = 'Events in the range, of every type, counted up to 1,000,000.'

/** The webhook replay object. */
export const replaySchema = z
  .strictObject({
    id: rowId,
    object: z.literal('webhook_replay'),
    endpoint_id: rowId.nullable().meta({ description: 'Null: every active endpoint.' }),
    since: timestamp('Start of the range, inclusive.'),
    until: timestamp('End of the range, exclusive.'),
    status: replayStatus,
    state: replayState.meta({
      description: 'completed: every delivery exists; some may still wait for an attempt.',
    }),
    event_count: count.meta({ description: EVENT_COUNT }),
    scanned_count: count.meta({ description: 'How many of them have been processed.' }),
    deliveries: z
      .strictObject({ pending: count, delivered: count, failed: count })
      .meta({ description: 'The deliveries of the replay by status.' }),
    created_at: timestamp('When it was requested.'),
    completed_at: timestamp('When it was completed or cancelled.').nullable(),
  })
  .meta({ id: 'WebhookReplay' })

export const replayListSchema = listSchema(replaySchema).meta({ id: 'WebhookReplayList' })

/** The webhook replay object. */
export const replayView = ({
  replay,
  deliveries,
}: ReplayDetails): z.output<typeof replaySchema> => ({
  id: replay.id,
  object: 'webhook_replay',
  endpoint_id: replay.endpointId,
  since: isoUtc(replay.since),
  until: isoUtc(replay.until),
  status: replay.status,
  state: replay.state,
  // Of a range with more events than are counted, at least those that were processed.
  event_count: Math.max(replay.eventCount, replay.scannedCount),
  scanned_count: replay.scannedCount,
  deliveries,
  created_at: isoUtc(replay.createdAt),
  completed_at: isoUtcOrNull(replay.completedAt),
})

/** What a replay would send. */
export const replayPreviewSchema = z
  .strictObject({
    object: z.literal('webhook_replay_preview'),
    endpoint_id: rowId.nullable().meta({ description: 'Null: every active endpoint.' }),
    since: timestamp('Start of the range, inclusive; at most 90 days ago.'),
    until: timestamp('End of the range, exclusive; at most now.'),
    status: replayStatus,
    event_count: count.meta({ description: EVENT_COUNT }),
    delivery_count: count.meta({ description: 'Deliveries that the replay would make now.' }),
    is_complete: z.boolean().meta({
      description: `False: only the first events were looked at, ${REPLAY_PREVIEW_PAIRS_MAX} divided by the number of endpoints; more deliveries may follow.`,
    }),
  })
  .meta({ id: 'WebhookReplayPreview' })

/** What a replay would send. */
export const replayPreviewView = ({
  replay,
  counts,
}: {
  replay: NewReplay
  counts: ReplayCounts
}): z.output<typeof replayPreviewSchema> => ({
  object: 'webhook_replay_preview',
  endpoint_id: replay.endpointId,
  since: isoUtc(replay.since),
  until: isoUtc(replay.until),
  status: replay.status,
  event_count: counts.eventCount,
  delivery_count: counts.deliveryCount,
  is_complete: counts.isComplete,
})
