import { z } from 'zod'
import type { AttemptTimings, WebhookAttempt, WebhookDelivery } from '../../db/entities/event.ts'
import type { DeliverySummary, DeliveryWithAttempts } from '../../db/webhooks/webhook-deliveries.ts'
import { causeText, FAILURE_CAUSES } from '../../domain/failure-causes.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { DELIVERY_FAILURES } from '../../domain/webhooks/delivery-failures.ts'
import { listSchema } from '../list.ts'
import { isoUtcOrNull, openEnumOf, rowId, timestamp } from '../values.ts'

export const deliveryStatus = z
  .enum(['pending', 'delivered', 'failed'])
  .meta({ id: 'WebhookDeliveryStatus' })

const trigger = z.enum(['schedule', 'manual']).meta({ id: 'WebhookAttemptTrigger' })

const errorCode = openEnumOf(DELIVERY_FAILURES, 'Why an attempt or a delivery failed.')
  .meta({ id: 'DeliveryErrorCode', example: 'timeout' })
  .nullable()
  .meta({ description: 'Why it failed; null without a failure.' })

const phase = (description: string) => z.number().nullable().meta({ description })

const timingsSchema = z
  .strictObject({
    dns_ms: phase('Resolving the host name and checking its addresses.'),
    connect_ms: phase('Connecting over TCP.'),
    tls_ms: phase('The TLS handshake with the check of the certificate.'),
    first_byte_ms: phase('From the end of TLS to the headers of the response.'),
  })
  .meta({
    id: 'WebhookAttemptTimings',
    description:
      'Milliseconds of each phase of the request; null for a phase that did not complete.',
  })

const attemptSchema = z
  .strictObject({
    number: z.int(),
    trigger: trigger.meta({
      description:
        '`schedule`: one of the five scheduled attempts. `manual`: requested in addition to them.',
    }),
    started_at: timestamp('When the attempt began.'),
    duration_ms: z.int(),
    response_status: z.int().nullable().meta({ description: 'Null without a response.' }),
    error_code: errorCode,
    error_cause: z
      .string()
      .nullable()
      .meta({
        description: `What is wrong with the receiver, if that is known more precisely than by the code: ${Object.keys(
          FAILURE_CAUSES,
        )
          .map((cause) => `\`${cause}\``)
          .join(', ')}. More can be added.`,
        example: 'certificate_expired',
      }),
    error_message: z
      .string()
      .nullable()
      .meta({
        description:
          'Cause and remedy of the failure in words, for people; null without one, and for attempts from before this field.',
        example: causeText('certificate_expired', 'CERT_HAS_EXPIRED'),
      }),
    response_headers: z.record(z.string(), z.string()).meta({
      description:
        'Selected headers of the response (content type, location, retry-after, request ids and similar), ' +
        'by lowercase name, each cut at 256 characters; empty without a response.',
      example: { 'content-type': 'application/json', 'retry-after': '120' },
    }),
    response_body: z.string().nullable().meta({
      description: 'The first 16 KiB of the response as text, without its content encoding.',
    }),
    response_encoding: z.string().nullable().meta({
      description:
        'How the bytes of the response became text: the content encoding that was removed, if any, and the charset that was sent, else guessed.',
      example: 'gzip, utf-8',
    }),
    remote_ip: z.string().nullable(),
    timings: timingsSchema,
  })
  .meta({ id: 'WebhookAttempt' })

const facts = {
  id: rowId,
  object: z.literal('webhook_delivery'),
  endpoint_id: rowId,
  event_id: z.string(),
  event_type: z.string(),
  status: deliveryStatus,
  attempt_count: z.int().meta({ description: 'Scheduled and manual attempts.' }),
  next_retry_at: timestamp(
    'When the next scheduled attempt is due: by the schedule, or later if the `Retry-After` of a 429 or 503 asked for it, at most two hours after that response.',
  ).nullable(),
  error_code: errorCode,
  retry_of: rowId.nullable().meta({ description: 'The ended delivery that this one repeats.' }),
  replay_id: rowId.nullable().meta({ description: 'The replay that this one is part of.' }),
  created_at: timestamp('When the delivery was created.'),
  completed_at: timestamp('When it ended, delivered or failed.').nullable(),
}

/** The webhook delivery object with its attempts. */
export const deliverySchema = z
  .strictObject({ ...facts, attempts: z.array(attemptSchema) })
  .meta({ id: 'WebhookDelivery' })

const deliverySummarySchema = z
  .strictObject({
    ...facts,
    last_response_status: z.int().nullable().meta({ description: 'Of the last attempt.' }),
    last_error_code: errorCode,
  })
  .meta({ id: 'WebhookDeliverySummary' })

/** Deliveries without their attempts. */
export const deliverySummaryListSchema = listSchema(deliverySummarySchema).meta({
  id: 'WebhookDeliverySummaryList',
})

export const deliveryListSchema = listSchema(deliverySchema).meta({ id: 'WebhookDeliveryList' })

/** The webhook delivery object with its attempts. */
export const deliveryView = ({
  delivery,
  attempts,
}: DeliveryWithAttempts): z.output<typeof deliverySchema> => ({
  ...toFacts(delivery),
  attempts: attempts.map(attemptView),
})

/** A delivery with the outcome of its last attempt. */
export const deliverySummaryView = ({
  delivery,
  last,
}: DeliverySummary): z.output<typeof deliverySummarySchema> => ({
  ...toFacts(delivery),
  last_response_status: last?.responseStatus ?? null,
  last_error_code: last?.errorCode ?? null,
})

function toFacts(delivery: WebhookDelivery) {
  return {
    id: delivery.id,
    object: 'webhook_delivery' as const,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempt_count: delivery.attemptCount,
    next_retry_at: isoUtcOrNull(delivery.nextRetryAt),
    error_code: delivery.errorCode,
    retry_of: delivery.retryOf,
    replay_id: delivery.replayId,
    created_at: isoUtc(delivery.createdAt),
    completed_at: isoUtcOrNull(delivery.completedAt),
  }
}

const attemptView = (attempt: WebhookAttempt): z.output<typeof attemptSchema> => ({
  number: attempt.number,
  trigger: attempt.trigger,
  started_at: isoUtc(attempt.startedAt),
  duration_ms: attempt.durationMs,
  response_status: attempt.responseStatus,
  error_code: attempt.errorCode,
  error_cause: attempt.errorCause,
  error_message: attempt.errorMessage,
  response_headers: attempt.responseHeaders,
  response_body: attempt.responseBody,
  response_encoding: attempt.responseEncoding,
  remote_ip: attempt.remoteIp,
  timings: timingsView(attempt.timings),
})

const timingsView = ({ dnsMs, connectMs, tlsMs, firstByteMs }: AttemptTimings) => ({
  dns_ms: dnsMs ?? null,
  connect_ms: connectMs ?? null,
  tls_ms: tlsMs ?? null,
  first_byte_ms: firstByteMs ?? null,
})
