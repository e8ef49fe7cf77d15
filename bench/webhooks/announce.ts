import type { EntityManager } from '../../db/database.ts'
import { appendEvent } from '../../commands/events.ts'
import type { WebhookWorld } from './webhook-world.ts'

const DATA = { id: 'f'.repeat(20), object: 'video', status: 'ready' } as const

/**
 * Appends `count` events in one transaction, as the product does, the accounts in turn; each is one
 * delivery. `committedAtMs` (of the machine's clock) is when the commit was asked for: from then on
 * a relay may know of them.
 */
export async function announce(
  { db, accountIds }: Pick<WebhookWorld, 'db' | 'accountIds'>,
  count: number,
): Promise<{ deliveryIds: number[]; committedAtMs: number }> {
  const em = db.em.fork()
  await em.begin()
  const eventIds: string[] = []
  for (let at = 0; at < count; at += 1) {
    // At random, so that events which are announced one by one are not all of one account.
    const accountId = accountIds[Math.floor(Math.random() * accountIds.length)] ?? 0
    eventIds.push(await appendEvent(em, { accountId, type: 'video.ready', data: DATA }))
  }
  const deliveryIds = await deliveriesOf(em, eventIds)
  const committedAtMs = Date.now()
  await em.commit()
  return { deliveryIds, committedAtMs }
}

async function deliveriesOf(em: EntityManager, eventIds: string[]): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    'select id from webhook_delivery where event_id = any(?::text[])',
    [`{${eventIds.join(',')}}`],
  )
  return rows.map(({ id }) => id)
}
