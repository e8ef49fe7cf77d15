import type { EntityManager } from '../../db/database.ts'
import type { DeliveryStatus } from '../../db/entities/event.ts'
import type { DeliveryToSend } from '../../db/webhooks/deliveries.ts'
import {
  failDelivery,
  recordAttempt as record,
  type AttemptToRecord,
} from '../../db/webhooks/write-deliveries.ts'
import {
  boundedRetryAfterMs,
  delayAfterAttemptMs,
  mustDisableEndpoint,
  type AttemptOutcome,
} from '../../domain/webhooks/webhook-delivery.ts'
import { disableEndpoint } from './disable-endpoint.ts'

const GONE_FOR_GOOD = 410

/** An attempt that was made. */
export type MadeAttempt = Omit<AttemptToRecord, 'endpointId' | 'status' | 'waitMs'> & {
  /** How long the receiver asks to wait. */
  retryAfterMs: number | null
}

/**
 * Records an attempt, the delivery's new state and the endpoint's failure count in one transaction, and
 * disables the endpoint if `mustDisableEndpoint` requires it. Returns null if this number is recorded already or the
 * delivery was deleted in the meantime.
 */
export async function recordAttempt(
  em: EntityManager,
  delivery: DeliveryToSend,
  made: MadeAttempt,
): Promise<AttemptOutcome | null> {
  const attempt = { ...made, ...nextOf(delivery, made), endpointId: delivery.endpointId }
  // A success is one statement and needs no transaction.
  if (attempt.errorCode === null) return (await record(em, attempt)) && { outcome: 'delivered' }
  return em.transactional((tx) => recordFailure(tx, delivery, attempt))
}

/** The delivery's state after this attempt, regardless of its endpoint's state (ADR 0020). */
function nextOf(
  { scheduledCount }: DeliveryToSend,
  { errorCode, responseStatus, trigger, retryAfterMs }: MadeAttempt,
): { status: DeliveryStatus; waitMs: number | null } {
  if (errorCode === null) return { status: 'delivered', waitMs: null }
  if (responseStatus === GONE_FOR_GOOD) return { status: 'failed', waitMs: null }
  if (trigger === 'manual') return { status: 'pending', waitMs: boundedRetryAfterMs(retryAfterMs) }
  const waitMs = delayAfterAttemptMs(scheduledCount + 1, retryAfterMs)
  return { status: waitMs === null ? 'failed' : 'pending', waitMs }
}

async function recordFailure(
  tx: EntityManager,
  delivery: DeliveryToSend,
  attempt: AttemptToRecord,
): Promise<AttemptOutcome | null> {
  const standing = await record(tx, attempt)
  if (!standing) return null
  const { responseStatus, number, status } = attempt
  const mustDisable = mustDisableEndpoint({ ...standing, responseStatus })
  const reason = responseStatus === GONE_FOR_GOOD ? 'gone' : 'failures'
  const { accountId, endpointId } = delivery
  if (mustDisable) await disableEndpoint(tx, { accountId, endpointId, reason })
  if (status === 'failed' || (mustDisable && delivery.eventType !== 'webhook.test'))
    return { outcome: 'failed' }
  return { outcome: 'retry', nextNumber: number + 1, waitMs: standing.nextWaitMs }
}

/**
 * Ends a delivery that waits without another attempt: its endpoint is disabled, or its workflow was cancelled. Leaves a
 * delivery that has ended or was deleted unchanged.
 */
export const endUnsent = (
  em: EntityManager,
  deliveryId: number,
  reason: 'endpoint_disabled' | 'cancelled',
): Promise<void> => failDelivery(em, deliveryId, reason)
