import type { Database } from '../db/database.ts'
import { endReplay } from '../db/webhook-replays.ts'

/** Ends a replay whose workflow was cancelled; what it has handed out goes on. Safe to run twice. */
export function createCancelReplay({ db }: { db: Database }) {
  return async function cancelReplay({ replayId }: { replayId: number }): Promise<void> {
    await endReplay(db.em.fork(), replayId, 'cancelled')
  }
}
