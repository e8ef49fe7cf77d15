import { sql } from 'kysely'
import { wholeMonths, type DayRange } from '../../domain/audience/ranges.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import type { DayOf } from './audience-sums.ts'
import { records } from './records.ts'

/** The sketch of the viewers of a day, as it is stored. */
export interface DaySketch extends DayOf {
  bytes: Uint8Array
}

/** A month of a video, or of all videos of an account. */
export interface MonthOf {
  accountId: number
  videoId: string
  /** The first day, since 1970. */
  monthDay: number
}

/** The sketch of the viewers of a month, as it is stored. */
export interface MonthSketch extends MonthOf {
  bytes: Uint8Array
}

/** Reads the sketches of these days. Those without one are left out. */
export async function readDaySketches(
  em: EntityManager,
  wanted: readonly DayOf[],
): Promise<DaySketch[]> {
  const { rows } = await sql<DaySketch>`
    select d."accountId", d."videoId", d.day, s.sketch as bytes
    from ${records(wanted, { accountId: 'int', videoId: 'text', day: 'int' })}
    join audience_sketch s on s.account_id = d."accountId" and s.video_id = d."videoId"
      and s.day = date '1970-01-01' + d.day`.execute(queries(em).withoutPlugins())
  return rows
}

const MONTH = sql`(date '1970-01-01' + d."monthDay")`

/** Reads the sketches of these months; of a month without one those of its days, with `isStored` false. */
export async function readMonthSketches(
  em: EntityManager,
  wanted: readonly MonthOf[],
): Promise<(MonthSketch & { isStored: boolean })[]> {
  const months = records(wanted, { accountId: 'int', videoId: 'text', monthDay: 'int' })
  const { rows } = await sql<MonthSketch & { isStored: boolean }>`
    select d."accountId", d."videoId", d."monthDay", coalesce(m.sketch, s.sketch) as bytes, m.sketch is not null as "isStored"
    from ${months}
    left join audience_month_sketch m on m.account_id = d."accountId" and m.video_id = d."videoId" and m.month = ${MONTH}
    left join audience_sketch s on m.sketch is null and s.account_id = d."accountId" and s.video_id = d."videoId"
      and s.day >= ${MONTH} and s.day < ${MONTH} + interval '1 month'
    where coalesce(m.sketch, s.sketch) is not null`.execute(queries(em).withoutPlugins())
  return rows
}

/**
 * Reads sketches that have together the viewers of a range: those of its whole months, and of the other days. As Base64, because
 * PostgreSQL would send twice as many characters, which wait for the collector.
 */
export async function readRangeSketches(
  em: EntityManager,
  { accountId, videoId, from, to }: DayRange & { accountId: number; videoId: string },
): Promise<Uint8Array[]> {
  const whole = wholeMonths({ from, to })
  const { rows } = await sql<{ text: string }>`
    with months as materialized (select month, sketch from audience_month_sketch
      where account_id = ${accountId} and video_id = ${videoId}
        and month >= ${whole.from}::date and month < ${whole.before}::date)
    select encode(sketch, 'base64') as text from months
    union all
    select encode(sketch, 'base64') from audience_sketch s where account_id = ${accountId} and video_id = ${videoId}
      and day between ${from}::date and ${to}::date
      and not exists (select from months m where m.month = date_trunc('month', s.day)::date)`.execute(
    queries(em).withoutPlugins(),
  )
  return rows.map(({ text }) => Buffer.from(text, 'base64'))
}
