import type { EntityManager } from '../database.ts'
import { WebhookEndpoint } from '../entities/event.ts'
import { byId, findPage, type Page, type PageRequest } from '../page.ts'
import { queries } from '../queries.ts'

/** The account's endpoint, or null if there is none or it is deleted. */
export const findWebhookEndpoint = (
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<WebhookEndpoint | null> =>
  em.findOne(WebhookEndpoint, { id, accountId, deletedAt: null })

/** A page of the account's endpoints, newest first. */
export function listWebhookEndpoints(
  em: EntityManager,
  accountId: number,
  request: PageRequest<number>,
): Promise<Page<WebhookEndpoint>> {
  return findPage(request, (read) => {
    const { where, orderBy } = byId(read)
    return em.find(
      WebhookEndpoint,
      { accountId, deletedAt: null, ...where },
      { orderBy, limit: read.limit },
    )
  })
}

/** Returns the account's endpoint, whose row stays until the end of the transaction; null if there is none. */
export async function keepWebhookEndpoint(
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<WebhookEndpoint | null> {
  const kept = await queries(em)
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return kept ?? null
}
