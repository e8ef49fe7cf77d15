import { z } from 'zod'
import { listOf, listQuery, rowId, rowIdInQuery, rowIdParameter } from '../list.ts'
import { EVENT_TYPES } from '../../domain/events.ts'
import { instant, text, timestamp } from '../text.ts'

const status = z.enum(['pending', 'delivered', 'failed'])
const EVENT_ID_MAX_LENGTH = 64

/** Query of GET /v1/webhook-deliveries. */
export const listDeliveriesQuery = listQuery(rowIdInQuery, {
  status: status.optional(),
  endpoint_id: rowIdInQuery.optional(),
  event_id: text({ maxLength: EVENT_ID_MAX_LENGTH }).optional(),
  event_type: z.enum(EVENT_TYPES).optional(),
  retry_of: rowIdInQuery.optional(),
  replay_id: rowIdInQuery.optional(),
  since: instant('Deliveries made from then on.').optional(),
  until: instant('Deliveries made before then.').optional(),
})

export const deliveryIdParameter = rowIdParameter('webhook_delivery_not_found')

const errorCode = z
  .string()
  .nullable()
  .meta({ description: 'Class of the failure; null where there was none.', example: 'timeout' })

const phase = (description: string) => z.number().nullable().meta({ description })

const timingsSchema = z
  .strictObject({
    dns_ms: phase('Until the host name was resolved and its addresses were checked.'),
    connect_ms: phase('From there until TCP was connected.'),
    tls_ms: phase('From there until TLS was agreed on and the certificate was verified.'),
    first_byte_ms: phase("From there until the answer's headers were there."),
  })
  .meta({
    id: 'WebhookAttemptTimings',
    description: 'Milliseconds of each phase of the request; null for one that did not complete.',
  })

const attemptSchema = z
  .strictObject({
    number: z.int(),
    trigger: z.enum(['schedule', 'manual']).meta({
      description: '`schedule`: one of the five. `manual`: it was asked for, beside them.',
    }),
    started_at: timestamp('When the attempt began.'),
    duration_ms: z.int(),
    response_status: z.int().nullable().meta({ description: 'Null: there was no answer.' }),
    error_code: errorCode,
    response_headers: z.record(z.string(), z.string()).meta({
      description:
        'Headers of the answer that matter (content type, location, retry-after, request ids and the ' +
        'like), by lowercase name, each cut at 256 characters; empty without an answer.',
      example: { 'content-type': 'application/json', 'retry-after': '120' },
    }),
    response_body: z.string().nullable().meta({ description: 'The first 16 KiB of the answer.' }),
    remote_ip: z.string().nullable(),
    timings: timingsSchema,
  })
  .meta({ id: 'WebhookAttempt' })

/** The webhook delivery object with its attempts (design, section 7). */
export const deliverySchema = z
  .strictObject({
    id: rowId,
    object: z.literal('webhook_delivery'),
    endpoint_id: rowId,
    event_id: z.string(),
    event_type: z.string(),
    status,
    attempt_count: z.int().meta({ description: 'Attempts of either trigger.' }),
    next_retry_at: timestamp('When the next scheduled attempt is made.').nullable(),
    error_code: errorCode,
    retry_of: rowId.nullable().meta({ description: 'The ended delivery that this one repeats.' }),
    replay_id: rowId.nullable().meta({ description: 'The replay that this one is part of.' }),
    created_at: timestamp('When the delivery was made: with its event, or when it was repeated.'),
    completed_at: timestamp('When it was delivered or given up.').nullable(),
    attempts: z.array(attemptSchema),
  })
  .meta({ id: 'WebhookDelivery' })

export const deliveryListSchema = listOf(deliverySchema).meta({ id: 'WebhookDeliveryList' })
