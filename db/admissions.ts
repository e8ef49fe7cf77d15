import { admitRequests } from './api-keys.ts'
import type { Admission, RateLimits } from './api-keys.ts'
import { inBatches } from './batches.ts'
import type { Database } from './database.ts'

/** A second would only wait for the lock of the first. */
const AT_ONCE = 1

/**
 * Counts requests against the limits of their keys, those of one key together: one busy key would
 * otherwise have every connection wait for the lock on its row. The returned function takes a key's
 * hash and resolves to its admission, or to null where there is no such key.
 */
export function countAdmissions(
  db: Database,
  limits: RateLimits,
): (hash: string) => Promise<Admission | null> {
  const admit = inBatches<null, Admission | null>(
    (hash, requests) => admitMany(db, hash, limits, requests.length),
    AT_ONCE,
  )
  return (hash) => admit(hash, null)
}

/** The admission of each of `count` requests, in their order: as many are admitted as there is room for. */
async function admitMany(
  db: Database,
  hash: string,
  limits: RateLimits,
  count: number,
): Promise<(Admission | null)[]> {
  const all = await admitRequests(db, hash, limits, count)
  if (all?.isAdmitted)
    return Array.from({ length: count }, (_, at) => ({
      ...all,
      minuteCount: all.minuteCount - count + at + 1,
      dayCount: all.dayCount - count + at + 1,
    }))
  const room = all ? Math.min(limits.perMinute - all.minuteCount, limits.perDay - all.dayCount) : 0
  if (count === 1 || room <= 0) return Array.from({ length: count }, () => all)
  const some = Math.min(room, count - 1)
  return [
    ...(await admitMany(db, hash, limits, some)),
    ...(await admitMany(db, hash, limits, count - some)),
  ]
}
