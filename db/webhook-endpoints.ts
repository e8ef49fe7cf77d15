import type { SubscribableEventType } from '../domain/events.ts'
import type { EntityManager } from './database.ts'
import { WebhookEndpoint } from './entities/event.ts'

export interface NewWebhookEndpoint {
  accountId: number
  url: string
  events: SubscribableEventType[]
  sealedSecret: string
}

/**
 * Inserts an endpoint and returns its row; null where the account has `most` of them already.
 * The account's row is locked, so that two requests at once cannot both take the last place.
 */
export async function insertWebhookEndpoint(
  em: EntityManager,
  endpoint: NewWebhookEndpoint,
  most: number,
): Promise<WebhookEndpoint | null> {
  await em.execute('select 1 from account where id = ? for no key update', [endpoint.accountId])
  const { accountId } = endpoint
  if ((await em.count(WebhookEndpoint, { accountId })) >= most) return null
  const id: number = await em.insert(WebhookEndpoint, endpoint)
  return em.findOneOrFail(WebhookEndpoint, { id })
}
