import type { Database } from '../db/database.ts'
import type { ReplayBatch } from '../domain/webhook-replay.ts'
import { appendReplayBatch } from '../commands/webhooks/append-replay-batch.ts'

const LIMITS = { events: 200, waiting: 200 }

/** Hands out the next events of a replay. Safe to run twice: the row says how far it has come. */
export function createReplayBatch({ db }: { db: Database }) {
  return async function replayBatch({ replayId }: { replayId: number }): Promise<ReplayBatch> {
    return appendReplayBatch(db.em.fork(), replayId, LIMITS)
  }
}
