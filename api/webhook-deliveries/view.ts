import type { z } from 'zod'
import type { DeliveryWithAttempts } from '../../db/webhook-deliveries.ts'
import type { AttemptTimings } from '../../db/entities/event.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import type { deliverySchema } from './schemas.ts'

/** The webhook delivery object with its attempts. */
export function deliveryView({
  delivery,
  attempts,
}: DeliveryWithAttempts): z.output<typeof deliverySchema> {
  return {
    id: delivery.id,
    object: 'webhook_delivery',
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempt_count: delivery.attemptCount,
    next_retry_at: delivery.nextRetryAt && isoUtc(delivery.nextRetryAt),
    error_code: delivery.errorCode,
    retry_of: delivery.retryOf,
    replay_id: delivery.replayId,
    created_at: isoUtc(delivery.createdAt),
    completed_at: delivery.completedAt && isoUtc(delivery.completedAt),
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      trigger: attempt.trigger,
      started_at: isoUtc(attempt.startedAt),
      duration_ms: attempt.durationMs,
      response_status: attempt.responseStatus,
      error_code: attempt.errorCode,
      response_headers: attempt.responseHeaders,
      response_body: attempt.responseBody,
      remote_ip: attempt.remoteIp,
      timings: timingsView(attempt.timings),
    })),
  }
}

const timingsView = ({ dnsMs, connectMs, tlsMs, firstByteMs }: AttemptTimings) => ({
  dns_ms: dnsMs ?? null,
  connect_ms: connectMs ?? null,
  tls_ms: tlsMs ?? null,
  first_byte_ms: firstByteMs ?? null,
})
