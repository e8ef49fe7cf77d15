import type { VideoStatus } from '../domain/video-state.ts'
import type { EntityManager } from './database.ts'
import { Account, ApiKey, Plan } from './entities/account.ts'
import { WebhookDelivery } from './entities/event.ts'
import type { DeliveryStatus } from './entities/event.ts'
import { Rendition, Video } from './entities/video.ts'
import { given } from './page.ts'
import { withDetails } from './video-details.ts'
import type { VideoDetails } from './video-details.ts'
import { withAttempts } from './webhook-deliveries.ts'
import type { DeliveryWithAttempts } from './webhook-deliveries.ts'

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
  const orderBy = { id: 'desc' } as const
  return withAttempts(em, await em.find(WebhookDelivery, given(filter), { orderBy, limit }))
}

/** A delivery of any account, or null. */
export const findAnyDelivery = (em: EntityManager, id: number): Promise<WebhookDelivery | null> =>
  em.findOne(WebhookDelivery, { id })
