import { z } from 'zod'
import { REPLAY_STATUSES } from '../../domain/webhook-replay.ts'
import { listOf, listQuery, rowId, rowIdInQuery, rowIdParameter } from '../list.ts'
import { instant, timestamp } from '../text.ts'

const status = z.enum(REPLAY_STATUSES).meta({
  description:
    'Which events are sent: `failed`, those that were never delivered although they were tried; `delivered`, those that were; `missing`, those that the endpoint subscribes to and never had, because it was off or not there yet.',
})

/** Body of POST /v1/webhook-replays. */
export const createReplayBody = z.strictObject({
  since: instant('Events from then on; at most 90 days back.'),
  until: instant('Events before then; now by default.').optional(),
  endpoint_id: rowId.optional().meta({ description: 'Every active endpoint by default.' }),
  status: status.optional().meta({ default: 'failed' }),
})

export const replayIdParameter = rowIdParameter('webhook_replay_not_found')
export const listReplaysQuery = listQuery(rowIdInQuery, {})

const count = z.int().min(0)

/** The webhook replay object. */
export const replaySchema = z
  .strictObject({
    id: rowId,
    object: z.literal('webhook_replay'),
    endpoint_id: rowId.nullable().meta({ description: 'Null: every active endpoint.' }),
    since: timestamp('The first moment of the range.'),
    until: timestamp('The first moment behind it.'),
    status,
    state: z.enum(['running', 'completed', 'cancelled']).meta({
      description: 'Completed: every delivery is made; some may still wait for an attempt.',
    }),
    event_count: count.meta({ description: 'Events in the range, of whatever kind.' }),
    scanned_count: count.meta({ description: 'How many of them were looked at.' }),
    deliveries: z
      .strictObject({ pending: count, delivered: count, failed: count })
      .meta({ description: 'How the deliveries that it made stand.' }),
    created_at: timestamp('When it was asked for.'),
    completed_at: timestamp('When it was completed or cancelled.').nullable(),
  })
  .meta({ id: 'WebhookReplay' })

export const replayListSchema = listOf(replaySchema).meta({ id: 'WebhookReplayList' })
