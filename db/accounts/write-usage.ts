import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

const TODAY = sql<string>`(now() at time zone 'UTC')::date`

/** Adds the length of a video to its account's usage of today; in the transaction that makes it ready. */
export async function addEncodedTime(
  em: EntityManager,
  accountId: number,
  encodedMs: number,
): Promise<void> {
  await queries(em)
    .insertInto('usage_day')
    .values({ accountId, day: TODAY, encodedMs })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'day'])
        .doUpdateSet((eb) => ({ encodedMs: eb('usage_day.encodedMs', '+', encodedMs) })),
    )
    .execute()
}

/** Adds the bytes served of each video to its account's usage of today; unknown videos are left out. */
export async function addBandwidth(
  em: EntityManager,
  servedBytes: ReadonlyMap<string, number>,
): Promise<void> {
  if (servedBytes.size === 0) return
  const served = [...servedBytes].map(([video, bytes]) => ({ video, bytes }))
  // One statement for all videos; the order of the rows keeps two processes from a deadlock.
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
