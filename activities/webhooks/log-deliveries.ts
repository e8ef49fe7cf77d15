import type { Logger } from 'pino'
import type { DeliveryToSend } from '../../db/webhooks/deliveries.ts'
import type { AttemptOutcome, SendWebhookInput } from '../../domain/webhooks/webhook-delivery.ts'
import type { EgressError } from '../../egress/egress-error.ts'
import type { WebhookResponse } from '../../egress/posts/webhook-request.ts'

type FailedAttempt = SendWebhookInput &
  WebhookResponse & { durationMs: number; outcome: AttemptOutcome['outcome'] }

/** While the network is away, thousands of deliveries meet the same fault. */
const PUT_OFF_EVERY_MS = 10_000

/**
 * Writes the log lines of deliveries. None has the address of the endpoint, or anything that the receiver sent: both may
 * contain secrets.
 */
export function createDeliveryLog(logger: Pick<Logger, 'warn'>) {
  let putOffAtMs = -Infinity
  return {
    attemptFailed(made: FailedAttempt, to: DeliveryToSend): void {
      const { number: attempt, trigger, durationMs, outcome } = made
      const { errorCode: code, errorCause: cause, errorMessage: reason } = made
      const failure = { attempt, trigger, code, cause, status: made.responseStatus, reason }
      logger.warn(
        { ...logIds(made.deliveryId, to), ...failure, durationMs, outcome },
        'a delivery attempt failed',
      )
    },
    endedUnsent(deliveryId: number, to: DeliveryToSend): void {
      logger.warn({ ...logIds(deliveryId, to), code: 'endpoint_disabled' }, 'a delivery has failed')
    },
    /** At most one line in ten seconds. */
    putOff(deliveryId: number, to: DeliveryToSend, { code, message }: EgressError): void {
      if (performance.now() - putOffAtMs < PUT_OFF_EVERY_MS) return
      putOffAtMs = performance.now()
      logger.warn(
        { ...logIds(deliveryId, to), code, reason: message },
        'a delivery attempt was put off',
      )
    },
  }
}

export type DeliveryLog = ReturnType<typeof createDeliveryLog>

const logIds = (deliveryId: number, delivery: DeliveryToSend) => {
  const { eventId, eventType, endpointId, accountId } = delivery
  return { deliveryId, eventId, eventType, endpointId, accountId }
}
