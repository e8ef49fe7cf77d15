import { sql, type RawBuilder } from 'kysely'
import type { SweepKind } from '../../domain/sweep.ts'
import type { EntityManager } from '../database.ts'
import type { WorkflowRequestKind } from '../entities/event.ts'
import { queries } from '../queries.ts'
import { parsePosterSubject } from './workflow-requests.ts'

type StartRequest = Exclude<
  WorkflowRequestKind,
  'retry-delivery' | 'cancel-delivery' | 'rotate-master-key' | 'deliver-statements'
>

/** A row whose work is not finished, and the request that starts its workflow. */
export interface UnfinishedWork {
  command: StartRequest
  subjectId: string
  accountId: number
  /** The HTTP request that caused the work, if its row records it. */
  requestId: string | null
}

/** Reads one page after `after`, the last `subjectId` of the previous page. */
export type FindUnfinished = (
  em: EntityManager,
  after: string | null,
  limit: number,
) => Promise<UnfinishedWork[]>

/** The subject of the last row that the sweep of a kind has looked at; null if it begins with the first row. */
export async function readSweepPosition(
  em: EntityManager,
  kind: SweepKind,
): Promise<string | null> {
  const [row] = await em.execute<{ after: string }[]>(
    'select after from sweep_position where kind = ?',
    [kind],
  )
  return row?.after ?? null
}

/** The request of the event of a delivery `d`. Its number leads to one partition; a delivery of an earlier release has none. */
const REQUEST_OF_EVENT = sql<string | null>`case when d.event_number is not null
  then (select e.request_id from event e where e.number = d.event_number and e.id = d.event_id)
  else (select e.request_id from event e where e.id = d.event_id) end`

/**
 * Pending deliveries whose workflow must exist: older than 30 seconds, with an attempt due within two
 * minutes. Later attempts need no workflow yet, and an endpoint that is down for an hour may leave thousands
 * of them. Those of a deleted endpoint need none. Deliveries with a request in the outbox are left to the relay, like the
 * videos and replays below.
 */
export const findUnfinishedDeliveries: FindUnfinished = async (em, after, limit) => {
  const rows = await queries(em)
    .selectFrom('webhook_delivery as d')
    .select(['d.id', 'd.accountId'])
    .select(REQUEST_OF_EVENT.as('requestId'))
    .where('d.status', '=', 'pending')
    .where('d.id', '>', Number(after ?? 0))
    .where('d.createdAt', '<', HALF_A_MINUTE_AGO)
    .where((eb) =>
      eb.or([
        eb('d.nextRetryAt', 'is', null),
        eb('d.nextRetryAt', '<', sql<Date>`now() + interval '2 minutes'`),
      ]),
    )
    .where(
      sql<boolean>`d.endpoint_id not in (select w.id from webhook_endpoint w where w.deleted_at is not null)`,
    )
    .where(isNotRequested('deliver-webhook', sql`d.id::text`))
    .orderBy('d.id')
    .limit(limit)
    .execute()
  return rows.map((row) => workOf('deliver-webhook', row))
}

/** Videos that are not ready, failed or deleted, older than 30 seconds. */
export const findUnfinishedVideos: FindUnfinished = async (em, after, limit) => {
  const rows = await queries(em)
    .selectFrom('video as v')
    .select(['v.id', 'v.accountId', 'v.requestId'])
    .where('v.deletedAt', 'is', null)
    .where('v.status', 'in', ['queued', 'processing', 'playable'])
    .where('v.id', '>', after ?? '')
    .where('v.createdAt', '<', HALF_A_MINUTE_AGO)
    .where(isNotRequested('ingest-video', sql`v.id`))
    .orderBy('v.id')
    .limit(limit)
    .execute()
  return rows.map((row) => workOf('ingest-video', row))
}

/** Deleted videos that still have objects, 30 seconds after the deletion. */
export const findUnremovedVideos: FindUnfinished = async (em, after, limit) => {
  const rows = await queries(em)
    .selectFrom('video as v')
    .select(['v.id', 'v.accountId'])
    .where('v.deletedAt', '<', HALF_A_MINUTE_AGO)
    .where('v.removedAt', 'is', null)
    .where('v.id', '>', after ?? '')
    .where(isNotRequested('delete-video', sql`v.id`))
    .orderBy('v.id')
    .limit(limit)
    .execute()
  return rows.map((row) => workOf('delete-video', row))
}

/** Running replays, older than 30 seconds. */
export const findUnfinishedReplays: FindUnfinished = async (em, after, limit) => {
  const rows = await queries(em)
    .selectFrom('webhook_replay as r')
    .select(['r.id', 'r.accountId'])
    .where('r.state', '=', 'running')
    .where('r.id', '>', Number(after ?? 0))
    .where('r.createdAt', '<', HALF_A_MINUTE_AGO)
    .where(isNotRequested('replay-webhooks', sql`r.id::text`))
    .orderBy('r.id')
    .limit(limit)
    .execute()
  return rows.map((row) => workOf('replay-webhooks', row))
}

/** A line of the import `i` whose video is being made. */
const STARTED_LINE = sql<number>`(select 1 from video_import_line l where l.import_id = i.id and l.state = 'started')`

/**
 * Imports that are running, that still need what opens their bucket, or whose videos are made although they were cancelled, older than 30
 * seconds. An operator may have cancelled the workflow of the last ones.
 */
export const findUnfinishedImports: FindUnfinished = async (em, after, limit) => {
  const rows = await queries(em)
    .selectFrom('video_import as i')
    .select(['i.id', 'i.accountId', 'i.requestId'])
    .where((eb) =>
      eb.or([
        eb('i.state', '=', 'running'),
        eb('i.sealedAccess', 'is not', null),
        eb.and([eb('i.state', '=', 'cancelled'), eb.exists(STARTED_LINE)]),
      ]),
    )
    .where('i.id', '>', Number(after ?? 0))
    .where('i.createdAt', '<', HALF_A_MINUTE_AGO)
    .where(isNotRequested('import-videos', sql`i.id::text`))
    .orderBy('i.id')
    .limit(limit)
    .execute()
  return rows.map((row) => workOf('import-videos', row))
}

/** Uploaded posters that wait, older than 30 seconds. */
export const findWaitingPosters: FindUnfinished = async (em, after, limit) => {
  const rows = await queries(em)
    .selectFrom('poster_upload as u')
    .select([sql<string>`u.video_id || '/' || u.number`.as('id'), 'u.accountId', 'u.requestId'])
    .where('u.content', 'is not', null)
    .where('u.number', '>', after === null ? 0 : parsePosterSubject(after).number)
    .where('u.createdAt', '<', HALF_A_MINUTE_AGO)
    .where(isNotRequested('set-poster', sql`u.video_id || '/' || u.number`))
    .orderBy('u.number')
    .limit(limit)
    .execute()
  return rows.map((row) => workOf('set-poster', row))
}

/** Accounts whose deletion has begun, older than 30 seconds. */
export const findUnremovedAccounts: FindUnfinished = async (em, after, limit) => {
  const rows = await queries(em)
    .selectFrom('account as a')
    .select(['a.id', 'a.id as accountId'])
    .where('a.deletedAt', '<', HALF_A_MINUTE_AGO)
    .where('a.id', '>', Number(after ?? 0))
    .where(isNotRequested('delete-account', sql`a.id::text`))
    .orderBy('a.id')
    .limit(limit)
    .execute()
  return rows.map((row) => workOf('delete-account', row))
}

/** Endpoints that were deleted, or disabled while many deliveries waited, at least 30 seconds ago. */
export const findUnsettledEndpoints: FindUnfinished = async (em, after, limit) => {
  const rows = await queries(em)
    .selectFrom('webhook_endpoint as e')
    .select(['e.id', 'e.accountId'])
    .where((eb) => eb.or([eb('e.deletedAt', 'is not', null), eb('e.cutOffAt', 'is not', null)]))
    .where(sql<boolean>`coalesce(e.deleted_at, e.cut_off_at) < ${HALF_A_MINUTE_AGO}`)
    .where('e.id', '>', Number(after ?? 0))
    .where(isNotRequested('settle-endpoint', sql`e.id::text`))
    .orderBy('e.id')
    .limit(limit)
    .execute()
  return rows.map((row) => workOf('settle-endpoint', row))
}

const HALF_A_MINUTE_AGO = sql<Date>`now() - interval '30 seconds'`

const isNotRequested = (command: StartRequest, subjectId: RawBuilder<unknown>) =>
  sql<boolean>`not exists (select 1 from outbox o
    where o.command = ${command} and o.subject_id = ${subjectId})`

const workOf = (
  command: StartRequest,
  { id, accountId, requestId = null }: UnfinishedRow,
): UnfinishedWork => ({ command, subjectId: String(id), accountId, requestId })

interface UnfinishedRow {
  id: number | string
  accountId: number
  requestId?: string | null
}
