import type { ReplayStatus } from '../domain/webhook-replay.ts'
import type { EntityManager } from './database.ts'
import type { DeliveryStatus } from './entities/event.ts'
import { WebhookReplay } from './entities/webhook-replay.ts'
import { byId, findPage, hasCursor } from './page.ts'
import type { Page, PageRequest } from './page.ts'

export interface NewReplay {
  accountId: number
  /** Null: every endpoint of the account. */
  endpointId: number | null
  /** Events from here on, up to but without `until`. */
  since: Date
  until: Date
  status: ReplayStatus
}

/** A replay and what became of its deliveries so far. */
export interface ReplayDetails {
  replay: WebhookReplay
  deliveries: Record<DeliveryStatus, number>
}

/** Inserts a replay with the number of events in its range. Fails where one of the account is running. */
export async function insertReplay(em: EntityManager, replay: NewReplay): Promise<ReplayDetails> {
  const { accountId, since, until } = replay
  const [row] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from event
     where account_id = ? and created_at >= ? and created_at < ?`,
    [accountId, since, until],
  )
  const id: number = await em.insert(WebhookReplay, { ...replay, eventCount: row?.count ?? 0 })
  const made = await em.findOneOrFail(WebhookReplay, { id })
  return { replay: made, deliveries: { pending: 0, delivered: 0, failed: 0 } }
}

/** The account's replay, or null. */
export async function findReplay(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<ReplayDetails | null> {
  const replay = await em.findOne(WebhookReplay, { id, accountId })
  return replay ? ((await withDeliveries(em, [replay]))[0] ?? null) : null
}

/** A page of the account's replays, newest first. Null where the cursor is none of them. */
export async function listReplays(
  em: EntityManager,
  accountId: number,
  request: PageRequest<number>,
): Promise<Page<ReplayDetails> | null> {
  if (!(await hasCursor(em, WebhookReplay, accountId, request))) return null
  const page = await findPage(request, (read) => {
    const { where, orderBy } = byId(read)
    return em.find(WebhookReplay, { accountId, ...where }, { orderBy, limit: read.limit })
  })
  return { ...page, rows: await withDeliveries(em, page.rows) }
}

/** Ends a replay that is running; nothing where it has ended already. */
export async function endReplay(
  em: EntityManager,
  id: number,
  state: 'completed' | 'cancelled',
): Promise<void> {
  await em.execute(
    `update webhook_replay set state = ?, completed_at = now() where id = ? and state = 'running'`,
    [state, id],
  )
}

async function withDeliveries(
  em: EntityManager,
  replays: WebhookReplay[],
): Promise<ReplayDetails[]> {
  if (replays.length === 0) return []
  const rows = await em.execute<{ id: number; status: DeliveryStatus; count: number }[]>(
    `select replay_id as id, status, count(*)::int as count from webhook_delivery
     where replay_id = any(?::int[]) group by replay_id, status`,
    [`{${replays.map(({ id }) => id).join(',')}}`],
  )
  return replays.map((replay) => {
    const deliveries = { pending: 0, delivered: 0, failed: 0 }
    for (const { id, status, count } of rows) if (id === replay.id) deliveries[status] = count
    return { replay, deliveries }
  })
}
