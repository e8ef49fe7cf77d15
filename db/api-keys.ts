import type { Scope } from '../domain/scopes.ts'
import type { Database, EntityManager } from './database.ts'
import { ApiKey } from './entities/account.ts'
import { runStatement } from './statement.ts'

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

const USE = `
  case when minute_ends_at <= now() then 0 else minute_count end as "minuteCount",
  case when day_ends_at <= now() then 0 else day_count end as "dayCount",
  case when minute_ends_at <= now() then 60
    else ceil(extract(epoch from minute_ends_at - now()))::int end as "minuteEndsInSeconds",
  case when day_ends_at <= now() then 86400
    else ceil(extract(epoch from day_ends_at - now()))::int end as "dayEndsInSeconds"`

/** Counts all of the requests or none: the row then stays as it is, and `counted` is empty. */
const ADMIT = {
  name: 'admit-requests',
  text: `
  with key as (
    select id, account_id, scopes from api_key where hash = $1 and revoked_at is null
  ), counted as (
    insert into api_key_rate as r (key_id, minute_count, minute_ends_at, day_count, day_ends_at)
    select id, $4, now() + interval '1 minute', $4, now() + interval '1 day' from key
    where $4::int <= $2::int and $4::int <= $3::int
    on conflict (key_id) do update set
      minute_count = case when r.minute_ends_at <= now() then $4 else r.minute_count + $4 end,
      minute_ends_at = case when r.minute_ends_at <= now() then excluded.minute_ends_at
        else r.minute_ends_at end,
      day_count = case when r.day_ends_at <= now() then $4 else r.day_count + $4 end,
      day_ends_at = case when r.day_ends_at <= now() then excluded.day_ends_at
        else r.day_ends_at end
    where case when r.minute_ends_at <= now() then 0 else r.minute_count end + $4 <= $2
      and case when r.day_ends_at <= now() then 0 else r.day_count end + $4 <= $3
    returning *
  )
  select key.id as "keyId", key.account_id as "accountId", key.scopes,
    counted.key_id is not null as "isCounted", ${USE}
  from key left join counted on true`,
}

const READ_USE = {
  name: 'read-rate-use',
  text: `select ${USE} from api_key_rate where key_id = $1`,
}

/**
 * Finds the key with this hash and counts `count` requests against its limits, in one statement, so
 * that any number of processes share one count; all of them are admitted, or none is. Null where
 * there is no such key or it was revoked.
 */
export async function admitRequests(
  db: Database,
  hash: string,
  limits: RateLimits,
  count: number,
): Promise<Admission | null> {
  const values = [hash, limits.perMinute, limits.perDay, count]
  const [row] = await runStatement<AdmissionRow>(db, ADMIT, values)
  if (!row) return null
  const { keyId, isCounted, ...admission } = row
  if (isCounted) return { ...admission, isAdmitted: true }
  const [use = UNUSED] = await runStatement<RateUse>(db, READ_USE, [keyId])
  return { ...admission, ...use, isAdmitted: false }
}

/** Of a key that has not made a request yet. */
const UNUSED: RateUse = {
  ...{ minuteCount: 0, minuteEndsInSeconds: 60 },
  ...{ dayCount: 0, dayEndsInSeconds: 86_400 },
}

/** The key with this hash, unless it was revoked. */
export const findApiKey = (em: EntityManager, hash: string): Promise<ApiKey | null> =>
  em.findOne(ApiKey, { hash, revokedAt: null })
