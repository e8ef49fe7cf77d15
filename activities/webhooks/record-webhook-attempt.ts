import { setTimeout as sleep } from 'node:timers/promises'
import { recordAttempt, type MadeAttempt } from '../../commands/webhooks/record-attempt.ts'
import type { Database } from '../../db/database.ts'
import type { DeliveryToSend } from '../../db/webhooks/deliveries.ts'
import type { AttemptOutcome } from '../../domain/webhooks/webhook-delivery.ts'

/** Delays between attempts to record: a short outage of the database must not cause a duplicate request. */
const RECORD_WAITS_MS = [100, 400, 1_500, 3_000]

/** Records an attempt, as `recordAttempt` does. Throws if the database remains unavailable. */
export async function recordWebhookAttempt(
  db: Database,
  delivery: DeliveryToSend,
  made: MadeAttempt,
): Promise<AttemptOutcome | null> {
  for (const waitMs of [...RECORD_WAITS_MS, null]) {
    try {
      return await recordAttempt(db.em.fork(), delivery, made)
    } catch (error) {
      if (waitMs === null) throw error
      await sleep(waitMs)
    }
  }
  return null
}
