import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import type { DeliveryStatus } from '../entities/event.ts'
import { WebhookReplay } from '../entities/webhook-replay.ts'
import { findPage, sqlDirection, type Page, type PageRequest } from '../page.ts'
import { exactlyOne, queries } from '../queries.ts'
import { SETTLED } from './settled-events.ts'
import { isOfPresentEndpoint } from './webhook-deliveries.ts'

/** A replay and the number of deliveries that it has made, by status, without those of deleted endpoints. */
export interface ReplayDetails {
  replay: WebhookReplay
  deliveries: Record<DeliveryStatus, number>
}

export const NO_DELIVERIES: ReplayDetails['deliveries'] = { pending: 0, delivered: 0, failed: 0 }

/** The account's replay; null if there is none, or its endpoint is deleted. */
export async function findReplay(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<ReplayDetails | null> {
  const replay = await presentReplays(em, accountId).where('id', '=', id).executeTakeFirst()
  return replay ? exactlyOne(await withDeliveries(em, accountId, [replay])) : null
}

/** A page of the account's replays, newest first. */
export async function listReplays(
  em: EntityManager,
  accountId: number,
  request: PageRequest<number>,
): Promise<Page<ReplayDetails>> {
  const page = await findPage(request, ({ direction, cursor, limit }) => {
    const { beyond, order } = sqlDirection(direction)
    const replays = presentReplays(em, accountId).orderBy('id', order).limit(limit)
    const isBeyond = sql<boolean>`id ${beyond} ${cursor}`
    return (cursor === undefined ? replays : replays.where(isBeyond)).execute()
  })
  return { ...page, rows: await withDeliveries(em, accountId, page.rows) }
}

/** The replays of an account, without those of a deleted endpoint. */
const presentReplays = (em: EntityManager, accountId: number) =>
  queries(em)
    .selectFrom('webhook_replay')
    .selectAll()
    .where('accountId', '=', accountId)
    .where((eb) => eb.or([eb('endpointId', 'is', null), isOfPresentEndpoint(accountId)]))

/** The progress of a running replay. */
export interface RunningReplay {
  eventCount: number
  scannedCount: number
  /**
   * False while a transaction from before the replay is open: its events may have any time, so that a batch could
   * pass them.
   */
  isSettled: boolean
  /** Its deliveries without an attempt, counted up to the given limit. */
  waiting: number
}

/**
 * Locks a replay; null if it is not running. Its endpoint is locked first, in the order in which a deletion of
 * the endpoint locks both, because that deletion takes the replays with it.
 */
export async function lockRunningReplay(
  em: EntityManager,
  id: number,
  waitingLimit: number,
): Promise<RunningReplay | null> {
  await queries(em)
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('id', '=', (eb) =>
      eb.selectFrom('webhook_replay').select('endpointId').where('id', '=', id),
    )
    .forKeyShare()
    .execute()
  const replay = await queries(em)
    .selectFrom('webhook_replay as r')
    .select(['r.eventCount', 'r.scannedCount'])
    .select([
      sql<boolean>`r.end_transaction_id <= ${SETTLED}`.as('isSettled'),
      sql<number>`(select count(*) from (select 1 from webhook_delivery d where d.replay_id = r.id
        and d.status = 'pending' and d.attempt_count = 0 limit ${waitingLimit}) w)`.as('waiting'),
    ])
    .where('r.id', '=', id)
    .where('r.state', '=', 'running')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return replay ?? null
}

async function withDeliveries(
  em: EntityManager,
  accountId: number,
  replays: WebhookReplay[],
): Promise<ReplayDetails[]> {
  if (replays.length === 0) return []
  const ids = replays.map(({ id }) => id)
  const rows = await queries(em)
    .selectFrom('webhook_replay_count')
    .where(isOfPresentEndpoint(accountId))
    .select(({ fn }) => [
      'replayId',
      sql<number>`sum(created - delivered - failed)`.as('pending'),
      fn.sum<number>('delivered').as('delivered'),
      fn.sum<number>('failed').as('failed'),
    ])
    .where('replayId', 'in', ids)
    .groupBy('replayId')
    .execute()
  const counts = new Map(rows.map(({ replayId, ...deliveries }) => [replayId, deliveries]))
  return replays.map((replay) => ({ replay, deliveries: counts.get(replay.id) ?? NO_DELIVERIES }))
}
