import type { EntityManager } from '../../db/database.ts'
import { endReplay } from '../../db/webhook-replays.ts'
import type { ReplayBatch } from '../../domain/webhook-replay.ts'
import { notifyRelay } from '../../db/workflow-requests.ts'

export interface ReplayBatchLimits {
  /** How many events one batch looks at. */
  events: number
  /** How many of the replay's deliveries may wait for their first attempt. */
  waiting: number
}

type ReplayRow = Omit<ReplayBatch, 'outcome'> & { waiting: number }

/**
 * Hands out the next events of a replay: their deliveries, the commands that start them and the
 * place that was reached are written in one transaction, so a batch that is repeated goes on behind
 * the one before it and no event is handed out twice.
 */
export function appendReplayBatch(
  em: EntityManager,
  replayId: number,
  limits: ReplayBatchLimits,
): Promise<ReplayBatch> {
  return em.transactional(async (tx) => {
    await tx.execute(LOCK_ENDPOINT, [replayId])
    const [replay] = await tx.execute<ReplayRow[]>(LOCK_REPLAY, [limits.waiting, replayId])
    if (!replay) return { outcome: 'ended', eventCount: 0, scannedCount: 0 }
    const { waiting, ...progress } = replay
    if (waiting >= limits.waiting) return { outcome: 'full', ...progress }
    const [batch] = await tx.execute<{ scanned: number; started: number }[]>(APPEND_BATCH, [
      replayId,
      limits.events,
    ])
    const { scanned = 0, started = 0 } = batch ?? {}
    if (started > 0) await notifyRelay(tx)
    const isLast = scanned < limits.events
    if (isLast) await endReplay(tx, replayId, 'completed')
    const scannedCount = progress.scannedCount + scanned
    return { outcome: isLast ? 'ended' : 'more', eventCount: progress.eventCount, scannedCount }
  })
}

/** Before the replay, as a deletion of the endpoint locks them, which takes its replays with it. */
const LOCK_ENDPOINT = `
  select 1 from webhook_endpoint
  where id = (select endpoint_id from webhook_replay where id = ?) for key share`

const LOCK_REPLAY = `
  select event_count as "eventCount", scanned_count as "scannedCount",
    (select count(*)::int from (select 1 from webhook_delivery d
      where d.replay_id = r.id and d.status = 'pending' and d.attempt_count = 0 limit ?) w) as waiting
  from webhook_replay r where id = ? and state = 'running' for no key update of r`

/**
 * An event is handed out to an active endpoint by what became of it there so far. `failed`: it was
 * tried and never delivered; `delivered`: it was; `missing`: the endpoint is subscribed to it and
 * never had it, being switched off or not there yet. What is under way already is left alone.
 */
const APPEND_BATCH = `
  with replay as (select * from webhook_replay where id = ?),
  page as (
    select v.id, v.type, v.created_at from event v, replay r
    where v.account_id = r.account_id and v.created_at >= r.since and v.created_at < r.until
      and (r.last_event_id is null or (v.created_at, v.id) > (r.last_created_at, r.last_event_id))
    order by v.created_at, v.id limit ?
  ), delivery as (
    insert into webhook_delivery (account_id, endpoint_id, event_id, event_type, replay_id)
    select r.account_id, e.id, v.id, v.type, r.id
    from replay r
      join webhook_endpoint e on e.account_id = r.account_id and e.is_active
        and (r.endpoint_id is null or e.id = r.endpoint_id)
      cross join page v
      cross join lateral (
        select count(*) > 0 as any, coalesce(bool_or(d.status = 'delivered'), false) as delivered,
          coalesce(bool_or(d.status = 'pending'), false) as pending
        from webhook_delivery d where d.event_id = v.id and d.endpoint_id = e.id
      ) had
    where v.type <> 'webhook.test' and not had.pending and case r.status
      when 'failed' then had.any and not had.delivered
      when 'delivered' then had.delivered
      else not had.any and v.type = any (e.events) end
    order by v.created_at, v.id
    returning id, account_id
  ), command as (
    insert into outbox (command, subject_id, account_id)
    select 'deliver-webhook', id::text, account_id from delivery returning 1
  ), reached as (
    update webhook_replay set scanned_count = scanned_count + (select count(*) from page),
      last_created_at = last.created_at, last_event_id = last.id
    from (select created_at, id from page order by created_at desc, id desc limit 1) last
    where webhook_replay.id = (select id from replay)
  )
  select (select count(*) from page)::int as scanned, (select count(*) from command)::int as started`
