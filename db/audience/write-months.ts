import { sql } from 'kysely'
import { BREAKDOWN_KINDS } from '../../domain/audience/breakdown.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { isIn, type AccountMonth } from './months-to-close.ts'
import { records } from './records.ts'

/** The sketch of the viewers of a video in a month; null if no viewer is known. */
export interface SketchOfMonth {
  videoId: string
  bytes: Uint8Array | null
}

/** Writes the rows of a month from those of its days. One that exists stays. */
export async function insertMonths(
  em: EntityManager,
  { accountId, month }: AccountMonth,
  sketches: readonly SketchOfMonth[],
): Promise<void> {
  const kinds = Array.from(BREAKDOWN_KINDS)
  await sql`
    insert into audience_month (account_id, video_id, month, sketch, peak_sessions, breakdown)
    select ${accountId}, d."videoId", ${month}::date, d.bytes,
      (select coalesce(max(p.sessions), 0) from audience_peak p where p.account_id = ${accountId} and p.video_id = d."videoId" and ${isIn({ month })}),
      (select coalesce(jsonb_object_agg(k.kind, k.sums), '{}') from (
        select v.kind, jsonb_object_agg(v.value, jsonb_build_array(v.plays, v.watched_ms)) as sums from (
          select kind, value, sum(plays) as plays, sum(watched_ms) as watched_ms from audience_value
          where account_id = ${accountId} and video_id = d."videoId" and kind = any(${kinds}::text[]) and ${isIn({ month })}
          group by kind, value) v
        group by v.kind) k)
    from ${records(sketches, { videoId: 'text', bytes: 'bytea' })} on conflict do nothing`.execute(
    queries(em),
  )
}

/** Notes that the account has rows for all its months before a day. */
export async function noteClosedBefore(
  em: EntityManager,
  accountId: number,
  before: string,
): Promise<void> {
  await sql`update account set audience_closed_before = ${before}::date where id = ${accountId}`.execute(
    queries(em),
  )
}

/** A month of a video, or of all videos of an account. */
export interface MonthOf {
  accountId: number
  videoId: string
  /** The first day, since 1970. */
  monthDay: number
}

/** Deletes the rows of months whose days have changed: these months are then read by their days. */
export async function deleteMonths(em: EntityManager, months: readonly MonthOf[]): Promise<void> {
  await sql`
    delete from audience_month m using ${records(months, { accountId: 'int', videoId: 'text', monthDay: 'int' })}
    where m.account_id = d."accountId" and m.video_id = d."videoId" and m.month = date '1970-01-01' + d."monthDay"`.execute(
    queries(em),
  )
}
