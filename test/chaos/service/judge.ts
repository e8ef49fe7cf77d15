import type { Client } from '@temporalio/client'
import type { Database } from '../../../db/database.ts'
import { DELIVERY_ATTEMPTS } from '../../../domain/webhooks/webhook-delivery.ts'
import type { ObjectStorage } from '../../../storage/object-storage.ts'
import type { KnownAccount } from './account.ts'
import type { World } from './world.ts'

/** What the judges read beside the service, none of it through a proxy. */
export interface ServiceRecord {
  world: World
  db: Database
  storage: ObjectStorage
  temporal: Client
  accounts: KnownAccount[]
}

/** Runs a query on a connection of the judges. */
export const findRows = <T>(
  { db }: Pick<ServiceRecord, 'db'>,
  query: string,
  values: unknown[] = [],
) => db.em.fork().execute<T[]>(query, values)

/** Returns what was acknowledged and is missing or wrong. */
export async function findLost(record: ServiceRecord): Promise<string[]> {
  const lists = await Promise.all([
    ...record.accounts.map((account) => lostVideos(record, account)),
    lostEvents(record),
    lostDeliveries(record),
  ])
  return lists.flat()
}

interface VideoRow {
  id: string
  title: string
  status: string
  errorCode: string | null
  deletedAt: string | null
  captions: string[]
  sessions: number
}

/** No fault of the run is one of the source: each lasts much shorter than the attempts at a download. */
async function lostVideos(
  record: ServiceRecord,
  { accountId, videos }: KnownAccount,
): Promise<string[]> {
  const rows = await findRows<VideoRow>(
    record,
    `select v.id, v.title, v.status, v.error_code as "errorCode", v.deleted_at as "deletedAt",
       array(select c.label from caption c where c.video_id = v.id) as captions,
       (select count(*)::int from playback_record s where s.video_id = v.id) as sessions
     from video v where v.account_id = ?`,
    [accountId],
  )
  const problems: string[] = []
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const video of videos) {
    const row = byId.get(video.id)
    const lost = (what: string) => problems.push(`video ${video.id}: ${what}`)
    if (!row) {
      lost('has no row')
      continue
    }
    if (row.sessions < video.sessions)
      lost(`${row.sessions} of ${video.sessions} sessions are counted`)
    if (video.isDeleted !== (row.deletedAt !== null))
      lost(video.isDeleted ? 'its deletion is lost' : 'is deleted without a request')
    if (video.isDeleted) continue
    if (row.title !== video.title) lost(`is called ${row.title}, not ${video.title}`)
    if (row.status === 'failed') lost(`failed with ${row.errorCode}`)
    if (row.captions.join() !== (video.caption ?? ''))
      lost(`its caption is ${row.captions.join()}, not ${video.caption}`)
  }
  if (rows.length !== videos.length)
    problems.push(`account ${accountId}: ${rows.length} videos, ${videos.length} acknowledged`)
  return problems
}

/**
 * Every change of a state has its event, and every event one delivery for the endpoint of its account. A video that is
 * deleted while it is queued never reaches `processing`, which `video.created` announces.
 */
async function lostEvents(record: ServiceRecord): Promise<string[]> {
  const missing = await findRows<{ problem: string }>(
    record,
    `with expected as (
       select v.id, 'video.created' as type from video v where v.deleted_at is null
       union all select v.id, 'video.ready' from video v where v.status = 'ready'
       union all select v.id, 'video.deleted' from video v where v.deleted_at is not null
     )
     select 'video ' || x.id || ' has ' || count(e.id) || ' events ' || x.type as problem
     from expected x left join event e
       on e.type = x.type and e.body::jsonb #>> '{data,id}' = x.id
     group by x.id, x.type having count(e.id) <> 1
     union all
     select 'event ' || e.id || ' (' || e.type || ') has ' || count(d.id) || ' deliveries'
     from event e left join webhook_delivery d on d.event_id = e.id
     group by e.id, e.type having count(d.id) <> 1`,
  )
  return missing.map(({ problem }) => problem)
}

interface DeliveryRow {
  id: number
  accountId: number
  status: string
  body: string
  /** In their order. */
  numbers: number[]
  scheduled: number
}

async function lostDeliveries(record: ServiceRecord): Promise<string[]> {
  const deliveries = await findRows<DeliveryRow>(
    record,
    `select d.id, d.account_id as "accountId", d.status, e.body,
       array(select a.number from webhook_attempt a where a.delivery_id = d.id order by a.number) as numbers,
       (select count(*)::int from webhook_attempt a
         where a.delivery_id = d.id and a.trigger = 'schedule') as scheduled
     from webhook_delivery d join event e on e.id = d.event_id`,
  )
  const received = Map.groupBy(record.world.integrator.received, ({ deliveryId }) => deliveryId)
  return deliveries.flatMap(({ id, accountId, status, body, numbers, scheduled }) => {
    const problems: string[] = []
    const requests = received.get(id) ?? []
    const isWhole = requests.some(
      (one) => one.isGenuine && one.body === body && one.path === `/hook/${accountId}`,
    )
    if (status === 'delivered' && !isWhole) problems.push('delivered, and was not received')
    if (requests.some(({ isGenuine }) => !isGenuine)) problems.push('a signature is wrong')
    if (numbers.some((number, at) => number !== at + 1)) problems.push('an attempt was skipped')
    if (status === 'failed' && scheduled < DELIVERY_ATTEMPTS)
      problems.push(`failed after ${scheduled} scheduled attempts`)
    if (scheduled > DELIVERY_ATTEMPTS) problems.push(`${scheduled} scheduled attempts`)
    return problems.map((problem) => `delivery ${id}: ${problem}`)
  })
}
