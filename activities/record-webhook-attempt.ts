import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, EntityManager } from '../db/database.ts'
import { disableEndpoint, recordAttempt } from '../db/deliveries.ts'
import type { AttemptToRecord, DeliveryToSend, EndpointStanding } from '../db/deliveries.ts'
import type { DeliveryStatus } from '../db/entities/event.ts'
import { delayAfterAttemptMs, mustDisableEndpoint } from '../domain/delivery-schedule.ts'
import { recordSecurityEvent } from '../outbox/append/record-security-event.ts'
import type { SendWebhookResult } from './send-webhook.ts'

/** Waits between tries to record: sending again because of a hiccup would be a duplicate for nothing. */
const RECORD_WAITS_MS = [100, 400, 1_500, 3_000]

const GONE_FOR_GOOD = 410

type MadeAttempt = Omit<AttemptToRecord, 'endpointId' | 'status' | 'waitMs'>

/**
 * Records what was sent: the attempt, the delivery's new state, the endpoint's count and, where the
 * endpoint is switched off by it, that, all in one transaction. Returns null where this number was
 * recorded already or the delivery was deleted meanwhile. Throws where the database stays away.
 */
export async function recordWebhookAttempt(
  db: Database,
  delivery: DeliveryToSend,
  made: MadeAttempt,
): Promise<SendWebhookResult | null> {
  const attempt = { ...made, ...nextOf(made), endpointId: delivery.endpointId }
  for (const waitMs of [...RECORD_WAITS_MS, null]) {
    try {
      const em = db.em.fork()
      // The usual case is one statement and needs no transaction around it.
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

/** What the delivery becomes by this attempt, whatever happens to its endpoint. */
function nextOf(made: MadeAttempt): { status: DeliveryStatus; waitMs: number | null } {
  if (made.errorCode === null) return { status: 'delivered', waitMs: null }
  const waitMs = made.responseStatus === GONE_FOR_GOOD ? null : delayAfterAttemptMs(made.number)
  return waitMs === null ? { status: 'failed', waitMs } : { status: 'pending', waitMs }
}

async function recordFailure(
  tx: EntityManager,
  delivery: DeliveryToSend,
  attempt: AttemptToRecord,
): Promise<SendWebhookResult | null> {
  const standing = await recordAttempt(tx, attempt)
  if (!standing) return null
  const { responseStatus, number, waitMs } = attempt
  const mustDisable = mustDisableEndpoint({ ...standing, responseStatus })
  if (mustDisable) await disable(tx, delivery, standing, responseStatus)
  if (waitMs === null || (mustDisable && delivery.eventType !== 'webhook.test'))
    return { outcome: 'failed' }
  return { outcome: 'retry', nextNumber: number + 1, waitMs }
}

/** Switches the endpoint off and tells its owner (design, section 7). */
async function disable(
  tx: EntityManager,
  { accountId, endpointId }: DeliveryToSend,
  { failureCount }: EndpointStanding,
  responseStatus: number | null,
): Promise<void> {
  if (!(await disableEndpoint(tx, endpointId))) return
  await recordSecurityEvent(tx, {
    accountId,
    eventType: 'webhook_endpoint_disabled',
    severity: 'medium',
    videoId: null,
    viewerId: null,
    details: {
      endpoint_id: endpointId,
      failure_count: failureCount,
      reason: responseStatus === GONE_FOR_GOOD ? 'gone' : 'failures',
    },
  })
}
