import { countRequests, readRateUse } from './api-keys.ts'
import type { Admission, CountedKey, RateLimits } from './api-keys.ts'
import { inBatches } from './batches.ts'
import type { Database } from './database.ts'

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
