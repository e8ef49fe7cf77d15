import type { EntityManager } from './database.ts'

/** What an account used on one day (UTC). */
export interface DayUsage {
  /** Such as `2026-11-21`. */
  day: string
  bandwidthBytes: number
  encodedMs: number
}

/** The days between `start` and `end`, both included, on which something was used; in order. */
export async function listDayUsage(
  em: EntityManager,
  accountId: number,
  start: string,
  end: string,
): Promise<DayUsage[]> {
  const rows = await em.execute<{ day: string; bandwidth: string; encoded: string }[]>(
    `select to_char(day, 'YYYY-MM-DD') as day, bandwidth_bytes as bandwidth, encoded_ms as encoded
     from usage_day where account_id = ? and day between ?::date and ?::date order by usage_day.day`,
    [accountId, start, end],
  )
  return rows.map(({ day, bandwidth, encoded }) => ({
    day,
    bandwidthBytes: Number(bandwidth),
    encodedMs: Number(encoded),
  }))
}

/** Counts a film's length for its account, today; in the transaction that makes it ready. */
export async function addEncodedTime(
  em: EntityManager,
  accountId: number,
  encodedMs: number,
): Promise<void> {
  await em.execute(
    `insert into usage_day as u (account_id, day, encoded_ms)
     values (?, (now() at time zone 'UTC')::date, ?)
     on conflict (account_id, day) do update set encoded_ms = u.encoded_ms + excluded.encoded_ms`,
    [accountId, encodedMs],
  )
}

/** Counts bytes that were served of videos for their accounts, today; unknown videos count for nobody. */
export async function addBandwidth(
  em: EntityManager,
  servedBytes: ReadonlyMap<string, number>,
): Promise<void> {
  if (servedBytes.size === 0) return
  const served = [...servedBytes].map(([video, bytes]) => ({ video, bytes }))
  await em.execute(
    `insert into usage_day as u (account_id, day, bandwidth_bytes)
     select v.account_id, (now() at time zone 'UTC')::date, sum(s.bytes)
     from jsonb_to_recordset(?::jsonb) as s (video text, bytes bigint)
       join video v on v.id = s.video
     group by v.account_id order by v.account_id
     on conflict (account_id, day)
       do update set bandwidth_bytes = u.bandwidth_bytes + excluded.bandwidth_bytes`,
    [JSON.stringify(served)],
  )
}
