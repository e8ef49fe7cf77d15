import type { EntityManager } from '../database.ts'
import { ApiKey, ApiKeyRateSchema } from '../entities/account.ts'
import { byId, findPage, type Page, type PageRequest } from '../page.ts'

/** How many keys of an account are not revoked. */
export const countActiveKeys = (em: EntityManager, accountId: number): Promise<number> =>
  em.count(ApiKey, { accountId, revokedAt: null })

/** The key with this hash; null when there is none or it was revoked. */
export const findApiKey = (em: EntityManager, hash: string): Promise<ApiKey | null> =>
  em.findOne(ApiKey, { hash, revokedAt: null })

/** The account's key, revoked or not; null if there is none. */
export const findAccountKey = (
  em: EntityManager,
  accountId: number,
  id: number,
): Promise<ApiKey | null> => em.findOne(ApiKey, { id, accountId })

/** A key with the time of its last request, to the minute; null if none is known. */
export interface UsedApiKey {
  key: ApiKey
  lastUsedAt: Date | null
}

/** The window of `minute_ends_at`, which begins with a request. */
const MINUTE_MS = 60_000

/** A page of the account's keys, newest first, the revoked ones included. */
export async function listAccountKeys(
  em: EntityManager,
  accountId: number,
  request: PageRequest<number>,
): Promise<Page<UsedApiKey>> {
  const page = await findPage(request, (read) => {
    const { where, orderBy } = byId(read)
    return em.find(ApiKey, { accountId, ...where }, { orderBy, limit: read.limit })
  })
  const ids = page.rows.map(({ id }) => id)
  const rates = await em.find(ApiKeyRateSchema, { keyId: { $in: ids } })
  const endOf = new Map(rates.map(({ keyId, minuteEndsAt }) => [keyId, minuteEndsAt.getTime()]))
  const rows = page.rows.map((key) => {
    const endMs = endOf.get(key.id)
    return { key, lastUsedAt: endMs === undefined ? null : new Date(endMs - MINUTE_MS) }
  })
  return { rows, hasMore: page.hasMore }
}
