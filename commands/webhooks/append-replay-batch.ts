import type { EntityManager } from '../../db/database.ts'
import { ringAfterCommit } from '../../db/outbox/relay-alarm.ts'
import { lockRunningReplay } from '../../db/webhooks/webhook-replays.ts'
import { replayEvents } from '../../db/webhooks/write-replayed-events.ts'
import { endReplay } from '../../db/webhooks/write-webhook-replays.ts'
import type { ReplayBatch } from '../../domain/webhooks/webhook-delivery.ts'

export interface ReplayBatchLimits {
  /** How many events one batch reads. */
  events: number
  /** How many deliveries of the replay may wait for their first attempt. */
  waiting: number
}

/**
 * Replays the next events of a replay. Their deliveries, the workflow requests that start them and the
 * position reached are written in one transaction, so a repeated batch continues after the previous one and
 * no event is replayed twice. The first batch waits until the transactions from before the replay have ended.
 */
export function appendReplayBatch(
  em: EntityManager,
  replayId: number,
  limits: ReplayBatchLimits,
): Promise<ReplayBatch> {
  return em.transactional(async (tx) => {
    const replay = await lockRunningReplay(tx, replayId, limits.waiting)
    if (!replay) return { outcome: 'ended', eventCount: 0, scannedCount: 0 }
    const { eventCount, scannedCount } = replay
    if (!replay.isSettled || replay.waiting >= limits.waiting)
      return { outcome: 'full', eventCount, scannedCount }
    const { scanned, started } = await replayEvents(tx, replayId, limits.events)
    if (started > 0) ringAfterCommit(tx)
    const isLast = scanned < limits.events
    if (isLast) await endReplay(tx, replayId, 'completed')
    return {
      outcome: isLast ? 'ended' : 'more',
      eventCount,
      scannedCount: scannedCount + scanned,
    }
  })
}
