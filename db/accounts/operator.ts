import { sql } from 'kysely'
import type { VideoStatus } from '../../domain/videos/video-state.ts'
import type { EventType } from '../../domain/webhooks/events.ts'
import type { DeliveryErrorCode } from '../../domain/webhooks/webhook-delivery.ts'
import type { EntityManager } from '../database.ts'
import { Account, ApiKey, Plan } from '../entities/account.ts'
import { WebhookDelivery, type DeliveryStatus } from '../entities/event.ts'
import { Rendition, Video } from '../entities/video.ts'
import { given } from '../page.ts'
import { queries } from '../queries.ts'
import { withDetails, type VideoDetails } from '../videos/video-details.ts'
import {
  IS_KEPT,
  isOfPresentEndpoint,
  withAttempts,
  type DeliveryWithAttempts,
} from '../webhooks/webhook-deliveries.ts'
import type { FailingEndpoint } from './failing-endpoints.ts'
import type { FailedVideo } from './overview.ts'

// Reads of the operator, who sees every account and also deleted videos.

export interface AccountWithPlan {
  account: Account
  plan: Plan | null
}

/** All accounts that are not deleted, with their plans, by id. */
export async function listAccounts(em: EntityManager): Promise<AccountWithPlan[]> {
  const accounts = await em.find(Account, { deletedAt: null }, { orderBy: { id: 'asc' } })
  const plans = new Map((await em.findAll(Plan)).map((plan) => [plan.accountId, plan]))
  return accounts.map((account) => ({ account, plan: plans.get(account.id) ?? null }))
}

/** API keys of one account or of all, by id, including revoked keys. */
export const listApiKeys = (em: EntityManager, accountId?: number): Promise<ApiKey[]> =>
  em.find(ApiKey, given({ accountId }), { orderBy: { id: 'asc' } })

export interface OperatorFilter<Status> {
  accountId?: number | undefined
  status?: Status | undefined
}

/** The newest videos of one account or of all, without deleted videos. */
export async function listAnyVideos(
  em: EntityManager,
  filter: OperatorFilter<VideoStatus>,
  limit: number,
): Promise<VideoDetails[]> {
  const where = { deletedAt: null, ...given(filter) }
  const orderBy = { createdAt: 'desc', id: 'desc' } as const
  return withDetails(em, await em.find(Video, where, { orderBy, limit }))
}

/** A video of any account, including deleted ones; null if none has this id. */
export const findAnyVideo = (em: EntityManager, id: string): Promise<Video | null> =>
  em.findOne(Video, { id })

/** The same with its details. */
export async function findAnyVideoDetails(
  em: EntityManager,
  id: string,
): Promise<VideoDetails | null> {
  const video = await findAnyVideo(em, id)
  return video ? ((await withDetails(em, [video]))[0] ?? null) : null
}

/** The renditions of a video in the order of their publication. */
export const listRenditions = (em: EntityManager, videoId: string): Promise<Rendition[]> =>
  em.find(Rendition, { videoId }, { orderBy: { createdAt: 'asc', name: 'asc' } })

/** The newest deliveries of one account or of all, with their attempts. */
export async function listAnyDeliveries(
  em: EntityManager,
  filter: OperatorFilter<DeliveryStatus>,
  limit: number,
): Promise<DeliveryWithAttempts[]> {
  const deliveries = await queries(em)
    .selectFrom('webhook_delivery')
    .selectAll()
    .where((eb) => eb.and(given(filter)))
    .where(IS_KEPT)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return withAttempts(em, deliveries)
}

/** A delivery of any account, or null. */
export const findAnyDelivery = (em: EntityManager, id: number): Promise<WebhookDelivery | null> =>
  em.findOne(WebhookDelivery, { id })

/** A video of any account that failed. */
export interface AnyFailedVideo extends FailedVideo {
  accountId: number
}

/** The newest videos of all accounts that were added in the last `days` and failed. */
export async function listFailedVideos(
  em: EntityManager,
  { days, limit }: { days: number; limit: number },
): Promise<AnyFailedVideo[]> {
  // For each account by the index of its search, as the overview of the account reads them.
  const { rows } = await sql<AnyFailedVideo>`
    select v.id, v.account_id, v.title, v.error_code, v.updated_at from (
      select f.id, f.created_at from account a cross join lateral (
        select id, created_at from video where account_id = a.id and deleted_at is null
          and status = 'failed' and created_at > now() - ${days}::int * interval '1 day'
        order by created_at desc, id desc limit ${limit}) f
      order by f.created_at desc, f.id desc limit ${limit}) n
    join video v on v.id = n.id order by n.created_at desc, n.id desc`.execute(queries(em))
  return rows
}

/** An endpoint of any account that fails. */
export interface AnyFailingEndpoint extends Omit<FailingEndpoint, 'lastError'> {
  accountId: number
}

/** The endpoints of all accounts that fail, or that were disabled for it: first those that are still tried, newest first. */
export const listAnyFailingEndpoints = (
  em: EntityManager,
  limit: number,
): Promise<AnyFailingEndpoint[]> =>
  queries(em)
    .selectFrom('webhook_endpoint')
    .select(['id', 'accountId', 'url', 'failureCount', 'disabledReason'])
    .where('deletedAt', 'is', null)
    .where((eb) =>
      eb.or([
        eb.and([eb('isActive', '=', true), eb('failureCount', '>', 0)]),
        eb('disabledReason', 'in', ['failures', 'gone']),
      ]),
    )
    .orderBy('isActive', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export interface VideoDelivery {
  id: number
  eventType: EventType
  status: DeliveryStatus
  attemptCount: number
  nextRetryAt: Date | null
  errorCode: DeliveryErrorCode | null
}

/** How many events of the account since the video was added are searched, so that the cost has a limit. */
const SEARCHED_EVENTS = 5_000

/** The deliveries of the events of a video, newest first. */
export async function listDeliveriesOfVideo(
  em: EntityManager,
  { id, accountId, createdAt }: Video,
  limit: number,
): Promise<VideoDelivery[]> {
  const { rows } = await sql<VideoDelivery>`
    select d.id, d.event_type, d.status, d.attempt_count, d.next_retry_at, d.error_code
    from (select id, body from event where account_id = ${accountId}
        and created_at >= ${createdAt} order by created_at limit ${SEARCHED_EVENTS}) e
    join webhook_delivery d on d.event_id = e.id
    where strpos(e.body, ${`"${id}"`}) > 0 and ${isOfPresentEndpoint(accountId)} and ${IS_KEPT}
    order by d.id desc limit ${limit}`.execute(queries(em))
  return rows
}
