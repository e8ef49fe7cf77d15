import type { EntityManager } from '../../db/database.ts'
import { endReplay, findReplay } from '../../db/webhook-replays.ts'
import type { ReplayDetails } from '../../db/webhook-replays.ts'
import { Refusal } from '../refusal.ts'

/**
 * Cancels a replay that is running; one that has ended stays as it is. Its deliveries continue. Call it in a
 * transaction. Refuses with `webhook_replay_not_found`.
 */
export async function cancelReplay(
  tx: EntityManager,
  accountId: number,
  id: number,
): Promise<ReplayDetails> {
  const { replay } = await requireReplay(tx, accountId, id)
  await endReplay(tx, replay.id, 'cancelled')
  tx.clear()
  return requireReplay(tx, accountId, id)
}

async function requireReplay(
  tx: EntityManager,
  accountId: number,
  id: number,
): Promise<ReplayDetails> {
  const found = await findReplay(tx, accountId, id)
  if (!found) throw new Refusal('webhook_replay_not_found')
  return found
}
