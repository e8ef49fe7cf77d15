import type { WorkflowRequestKind } from './entities/event.ts'
import type { EntityManager } from './database.ts'

/** A row whose work is not over, and the command that starts its workflow. */
export interface UnfinishedWork {
  command: Exclude<WorkflowRequestKind, 'retry-delivery' | 'cancel-delivery'>
  subjectId: string
  accountId: number
  /** The request that caused the work, as far as its row knows. */
  requestId: string | null
}

/** Reads one page behind `after`, the `subjectId` that the page before ended with. */
export type FindUnfinished = (
  em: EntityManager,
  after: string | null,
  limit: number,
) => Promise<UnfinishedWork[]>

/**
 * Pending deliveries whose workflow must exist by now: older than 30 seconds, and with an attempt
 * due within two minutes. Later attempts need none yet, and an endpoint that is down for an hour
 * may leave thousands of them. What already waits in the outbox is left to the relay.
 */
export const findUnfinishedDeliveries: FindUnfinished = (em, after, limit) =>
  em.execute<UnfinishedWork[]>(
    `select 'deliver-webhook' as command, d.id::text as "subjectId", d.account_id as "accountId",
       e.request_id as "requestId"
     from webhook_delivery d join event e on e.id = d.event_id
     where d.status = 'pending' and d.id > ?::int
       and d.created_at < now() - interval '30 seconds'
       and (d.next_retry_at is null or d.next_retry_at < now() + interval '2 minutes')
       and not exists (select 1 from outbox o
         where o.command = 'deliver-webhook' and o.subject_id = d.id::text)
     order by d.id limit ?`,
    [after ?? '0', limit],
  )

/** Videos that are neither ready, failed nor deleted, older than 30 seconds. */
export const findUnfinishedVideos: FindUnfinished = (em, after, limit) =>
  em.execute<UnfinishedWork[]>(
    `select 'ingest-video' as command, v.id as "subjectId", v.account_id as "accountId",
       v.request_id as "requestId"
     from video v
     where v.deleted_at is null and v.status in ('queued', 'processing', 'playable') and v.id > ?
       and v.created_at < now() - interval '30 seconds'
       and not exists (select 1 from outbox o
         where o.command = 'ingest-video' and o.subject_id = v.id)
     order by v.id limit ?`,
    [after ?? '', limit],
  )

/** Deleted videos whose objects are still there, half a minute after the deletion. */
export const findUnremovedVideos: FindUnfinished = (em, after, limit) =>
  em.execute<UnfinishedWork[]>(
    `select 'delete-video' as command, v.id as "subjectId", v.account_id as "accountId",
       null as "requestId"
     from video v
     where v.deleted_at < now() - interval '30 seconds' and v.removed_at is null and v.id > ?
       and not exists (select 1 from outbox o
         where o.command = 'delete-video' and o.subject_id = v.id)
     order by v.id limit ?`,
    [after ?? '', limit],
  )

/** Replays that are running, older than 30 seconds. */
export const findUnfinishedReplays: FindUnfinished = (em, after, limit) =>
  em.execute<UnfinishedWork[]>(
    `select 'replay-webhooks' as command, r.id::text as "subjectId", r.account_id as "accountId",
       null as "requestId"
     from webhook_replay r
     where r.state = 'running' and r.id > ?::int and r.created_at < now() - interval '30 seconds'
       and not exists (select 1 from outbox o
         where o.command = 'replay-webhooks' and o.subject_id = r.id::text)
     order by r.id limit ?`,
    [after ?? '0', limit],
  )
