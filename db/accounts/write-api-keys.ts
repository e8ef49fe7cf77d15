import type { Scope } from '../../domain/accounts/scopes.ts'
import { inBatches } from '../batches.ts'
import type { Database, EntityManager } from '../database.ts'
import { ApiKey } from '../entities/account.ts'
import { given } from '../page.ts'
import { runStatement } from '../queries.ts'

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

/** How many requests a key may make in a window, which begins with its first request. */
export interface RateLimits {
  perMinute: number
  perDay: number
}

/** How many requests of its two windows a key has used, and when they end. */
export interface RateUse {
  minuteCount: number
  minuteEndsInSeconds: number
  dayCount: number
  dayEndsInSeconds: number
}

/** The decision about one request of an existing key. */
export interface Admission extends RateUse {
  keyId: number
  keyName: string
  accountId: number
  scopes: Scope[]
  isAdmitted: boolean
}

/** An existing key, and whether its requests were counted; its use is known only then. */
interface CountedKey extends RateUse {
  hash: string
  keyId: number
  keyName: string
  accountId: number
  scopes: Scope[]
  isCounted: boolean
}

// `least`, because now() is the start of the statement. One that waited for the row may have started before the window.
const USE = `
  case when minute_ends_at <= now() then 0 else minute_count end as "minuteCount",
  case when day_ends_at <= now() then 0 else day_count end as "dayCount",
  case when minute_ends_at <= now() then 60
    else least(60, ceil(extract(epoch from minute_ends_at - now())))::int end as "minuteEndsInSeconds",
  case when day_ends_at <= now() then 86400
    else least(86400, ceil(extract(epoch from day_ends_at - now())))::int end as "dayEndsInSeconds"`

/**
 * Counts all requests of a key, or none if they exceed a limit: then its row stays unchanged and is not in `counted`.
 * Rows are written in the order of their ids, so that two processes cannot deadlock.
 * Raw and prepared: every request of the API waits for it (see `runStatement`).
 */
const COUNT = {
  name: 'count-requests',
  text: `
  with key as (
    select k.id, k.name, k.account_id, k.scopes, k.hash, w.count
    from unnest($1::text[], $2::int[]) as w (hash, count)
      join api_key k on k.hash = w.hash and k.revoked_at is null
  ), counted as (
    insert into api_key_rate as r (key_id, minute_count, minute_ends_at, day_count, day_ends_at)
    select id, count, now() + interval '1 minute', count, now() + interval '1 day' from key
    where count <= $3::int and count <= $4::int order by id
    on conflict (key_id) do update set
      minute_count = excluded.minute_count
        + case when r.minute_ends_at <= now() then 0 else r.minute_count end,
      minute_ends_at = case when r.minute_ends_at <= now() then excluded.minute_ends_at
        else r.minute_ends_at end,
      day_count = excluded.day_count + case when r.day_ends_at <= now() then 0 else r.day_count end,
      day_ends_at = case when r.day_ends_at <= now() then excluded.day_ends_at
        else r.day_ends_at end
    where case when r.minute_ends_at <= now() then 0 else r.minute_count end
        + excluded.minute_count <= $3
      and case when r.day_ends_at <= now() then 0 else r.day_count end + excluded.day_count <= $4
    returning *
  )
  select key.hash, key.id as "keyId", key.name as "keyName", key.account_id as "accountId", key.scopes,
    counted.key_id is not null as "isCounted", ${USE}
  from key left join counted on counted.key_id = key.id`,
}

// Raw, because it shares the expressions of the statement above.
const READ_USE = {
  name: 'read-rate-use',
  text: `select ${USE} from api_key_rate where key_id = $1`,
}

/**
 * Finds keys by their hashes and counts this many requests of each against its limits, in one
 * statement, so that all processes share one count. Of each key, all requests are counted or none.
 * The result leaves out hashes of unknown and of revoked keys.
 */
async function countRequests(
  db: Database,
  counts: ReadonlyMap<string, number>,
  limits: RateLimits,
): Promise<Map<string, CountedKey>> {
  const values = [[...counts.keys()], [...counts.values()], limits.perMinute, limits.perDay]
  const keys = await runStatement<CountedKey>(db, COUNT, values)
  return new Map(keys.map((key) => [key.hash, key]))
}

/** How many requests a key has used so far. */
async function readRateUse(db: Database, keyId: number): Promise<RateUse> {
  const [use = UNUSED] = await runStatement<RateUse>(db, READ_USE, [keyId])
  return use
}

/** The use of a key that has made no request yet. */
const UNUSED: RateUse = {
  minuteCount: 0,
  minuteEndsInSeconds: 60,
  dayCount: 0,
  dayEndsInSeconds: 86_400,
}

/** Low enough that a busy process shares its statements, high enough that a few calls do not wait. */
const AT_ONCE = 2

/**
 * Counts requests against the limits of their keys; simultaneous requests share a statement. The
 * returned function takes the hash of a key and resolves to its admission, or to null when there is
 * no such key.
 */
export const countAdmissions = (
  db: Database,
  limits: RateLimits,
): ((hash: string) => Promise<Admission | null>) =>
  inBatches<string, Admission | null>((hashes) => admitAll(db, limits, hashes), AT_ONCE)

/** The admissions of requests with these key hashes, in their order. */
async function admitAll(
  db: Database,
  limits: RateLimits,
  hashes: string[],
): Promise<Promise<Admission | null>[]> {
  const counts = new Map<string, number>()
  for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1)
  const keys = await countRequests(db, counts, limits)
  const shares = new Map(
    [...counts].map(([hash, count]) => [hash, shareOut(db, limits, count, keys.get(hash))]),
  )
  const taken = new Map<string, number>()
  return hashes.map(async (hash) => {
    const index = taken.get(hash) ?? 0
    taken.set(hash, index + 1)
    return (await shares.get(hash))?.[index] ?? null
  })
}

/** The admissions of `count` requests of one key: as many are admitted as its limits allow. */
async function shareOut(
  db: Database,
  limits: RateLimits,
  count: number,
  key: CountedKey | undefined,
): Promise<(Admission | null)[]> {
  if (!key) return []
  if (key.isCounted)
    return Array.from({ length: count }, (_, index) => ({
      ...key,
      isAdmitted: true,
      minuteCount: key.minuteCount - count + index + 1,
      dayCount: key.dayCount - count + index + 1,
    }))
  const refused = { ...key, ...(await readRateUse(db, key.keyId)), isAdmitted: false }
  const room = Math.min(limits.perMinute - refused.minuteCount, limits.perDay - refused.dayCount)
  if (count === 1 || room <= 0) return Array.from({ length: count }, () => refused)
  const some = Math.min(room, count - 1)
  const again = async (times: number) =>
    Promise.all(await admitAll(db, limits, Array<string>(times).fill(key.hash)))
  return [...(await again(some)), ...(await again(count - some))]
}

/** Revokes a key, of one account or of any. A key that is revoked already keeps the time of its first revocation. Returns its row, or null. */
export async function revokeApiKey(
  em: EntityManager,
  id: number,
  accountId?: number,
): Promise<ApiKey | null> {
  const key = given({ id, accountId })
  await em.nativeUpdate(ApiKey, { ...key, revokedAt: null }, { revokedAt: new Date() })
  return em.findOne(ApiKey, key, { refresh: true })
}
