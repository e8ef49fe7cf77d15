import type { Scope } from '../domain/scopes.ts'
import type { EntityManager } from './database.ts'
import { ApiKey } from './entities/account.ts'

export interface NewApiKey {
  accountId: number
  name: string
  hash: string
  hint: string
  scopes: Scope[]
}

/** Stores an API key's hash; returns the key's id. */
export const insertApiKey = (em: EntityManager, key: NewApiKey): Promise<number> =>
  em.insert(ApiKey, key)

/** How many requests a key may make; a window begins with its first request. */
export interface RateLimits {
  perMinute: number
  perDay: number
}

/** What a key has used of its two windows, and when they end. */
export interface RateUse {
  minuteCount: number
  minuteEndsInSeconds: number
  dayCount: number
  dayEndsInSeconds: number
}

/** A key that exists, with or without room for this request. */
export interface Admission extends RateUse {
  accountId: number
  scopes: Scope[]
  isAdmitted: boolean
}

type AdmissionRow = Omit<Admission, 'isAdmitted'> & { keyId: number; isCounted: boolean }

const USE = `minute_count as "minuteCount", day_count as "dayCount",
  greatest(1, ceil(extract(epoch from minute_ends_at - now())))::int as "minuteEndsInSeconds",
  greatest(1, ceil(extract(epoch from day_ends_at - now())))::int as "dayEndsInSeconds"`

/** A request that is refused is not counted: the row stays as it is, and \`counted\` is empty. */
const ADMIT = `
  with key as (
    select id, account_id, scopes from api_key where hash = ? and revoked_at is null
  ), counted as (
    insert into api_key_rate as r (key_id, minute_ends_at, day_ends_at)
    select id, now() + interval '1 minute', now() + interval '1 day' from key
    on conflict (key_id) do update set
      minute_count = case when r.minute_ends_at <= now() then 1 else r.minute_count + 1 end,
      minute_ends_at = case when r.minute_ends_at <= now() then excluded.minute_ends_at
        else r.minute_ends_at end,
      day_count = case when r.day_ends_at <= now() then 1 else r.day_count + 1 end,
      day_ends_at = case when r.day_ends_at <= now() then excluded.day_ends_at
        else r.day_ends_at end
    where (r.minute_ends_at <= now() or r.minute_count < ?::int)
      and (r.day_ends_at <= now() or r.day_count < ?::int)
    returning *
  )
  select key.id as "keyId", key.account_id as "accountId", key.scopes,
    counted.key_id is not null as "isCounted", ${USE}
  from key left join counted on true`

/**
 * Finds the key with this hash and counts the request against its limits, in one statement, so that
 * any number of processes share one count. Null where there is no such key or it was revoked.
 */
export async function admitRequest(
  em: EntityManager,
  hash: string,
  limits: RateLimits,
): Promise<Admission | null> {
  const parameters = [hash, limits.perMinute, limits.perDay]
  const [row] = await em.execute<AdmissionRow[]>(ADMIT, parameters)
  if (!row) return null
  const { keyId, isCounted, ...admission } = row
  if (isCounted) return { ...admission, isAdmitted: true }
  const [use] = await em.execute<RateUse[]>(`select ${USE} from api_key_rate where key_id = ?`, [
    keyId,
  ])
  return { ...admission, ...use, isAdmitted: false }
}

/** The key with this hash, unless it was revoked. */
export const findApiKey = (em: EntityManager, hash: string): Promise<ApiKey | null> =>
  em.findOne(ApiKey, { hash, revokedAt: null })
