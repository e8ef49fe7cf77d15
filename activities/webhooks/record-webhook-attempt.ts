import { setTimeout as sleep } from 'node:timers/promises'
import { disableEndpoint } from '../../commands/webhooks/disable-endpoint.ts'
import type { Database, EntityManager } from '../../db/database.ts'
import { recordAttempt } from '../../db/webhooks/deliveries.ts'
import type { AttemptToRecord, DeliveryToSend } from '../../db/webhooks/deliveries.ts'
import type { DeliveryStatus } from '../../db/entities/event.ts'
import {
  boundedRetryAfterMs,
  delayAfterAttemptMs,
  mustDisableEndpoint,
} from '../../domain/webhooks/webhook-delivery.ts'
import type { AttemptOutcome } from '../../domain/webhooks/webhook-delivery.ts'

/** Delays between attempts to record: a short outage of the database must not cause a duplicate request. */
const RECORD_WAITS_MS = [100, 400, 1_500, 3_000]

const GONE_FOR_GOOD = 410

type MadeAttempt = Omit<AttemptToRecord, 'endpointId' | 'status' | 'waitMs'> & {
  /** How long the receiver asks to wait. */
  retryAfterMs: number | null
}

/**
 * Records an attempt, the delivery's new state and the endpoint's failure count in one transaction, and
 * disables the endpoint if `mustDisableEndpoint` requires it. Returns null if this number is recorded already or the
 * delivery was deleted in the meantime. Throws if the database remains unavailable.
 */
export async function recordWebhookAttempt(
  db: Database,
  delivery: DeliveryToSend,
  made: MadeAttempt,
): Promise<AttemptOutcome | null> {
  const attempt = { ...made, ...nextOf(delivery, made), endpointId: delivery.endpointId }
  for (const waitMs of [...RECORD_WAITS_MS, null]) {
    try {
      const em = db.em.fork()
      // A success is one statement and needs no transaction.
      if (attempt.errorCode === null)
        return (await recordAttempt(em, attempt)) && { outcome: 'delivered' }
      return await em.transactional((tx) => recordFailure(tx, delivery, attempt))
    } catch (error) {
      if (waitMs === null) throw error
      await sleep(waitMs)
    }
  }
  return null
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
  const standing = await recordAttempt(tx, attempt)
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
