import { sql } from 'kysely'
import type { DayRange } from '../../domain/audience/ranges.ts'
import type { Totals } from '../../domain/audience/totals.ts'
import { addDays } from '../../domain/timestamps.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { andDays, type AudienceRange, type RangeParts } from './range-parts.ts'
import { records } from './records.ts'
import { eachTotal } from './total-columns.ts'

/** The sums of a day, or of an hour, in a series. */
export interface SeriesRow extends Totals {
  /** The start: a day, or an hour such as `2026-11-21T09`. */
  start: string
  /** The exact number of viewers of a day; null for an hour. */
  viewers: number | null
}

/** Reads the days of a range on which something was counted, in order: differences of running totals. */
export async function readDays(em: EntityManager, range: AudienceRange): Promise<SeriesRow[]> {
  const { rows } = await sql<SeriesRow>`
    select d.day::text as start, d."viewers", ${eachTotal((_, name) => `d.${name}`)} from (
      select day, (viewer_days - coalesce(lag(viewer_days) over days, 0))::float8 as viewers,
        ${eachTotal((column, name) => `(${column} - coalesce(lag(${column}) over days, 0))::float8 as ${name}`)}
      from (select * from audience_day where account_id = ${range.accountId} and video_id = ${range.videoId}
          and day between ${range.from}::date and ${range.to}::date
        union all (select * from audience_day where account_id = ${range.accountId} and video_id = ${range.videoId}
          and day < ${range.from}::date order by day desc limit 1)) r
      window days as (order by day)) d
    where d.day >= ${range.from}::date order by d.day`.execute(queries(em).withoutPlugins())
  return rows
}

/** Reads the sums of parts of a range, in order: each begins where the one before has ended. */
export async function readParts(
  em: EntityManager,
  { accountId, videoId }: Omit<AudienceRange, keyof DayRange>,
  [first, ...others]: readonly DayRange[],
): Promise<SeriesRow[]> {
  if (!first) return []
  const ends = [first, ...others].map(({ from, to }) => ({ start: from, end: to }))
  const before = { start: '', end: addDays(first.from, -1) }
  const { rows } = await sql<SeriesRow>`
    select d.start, (coalesce(r.viewer_days, 0) - coalesce(lag(r.viewer_days) over days, 0))::float8 as viewers,
      ${eachTotal((column, name) => `(coalesce(r.${column}, 0) - coalesce(lag(r.${column}) over days, 0))::float8 as ${name}`)}
    from ${records([before, ...ends], { start: 'text', end: 'date' })} left join lateral (
      select * from audience_day where account_id = ${accountId} and video_id = ${videoId} and day <= d."end"
      order by day desc limit 1) r on true
    window days as (order by d."end") order by d."end"`.execute(queries(em).withoutPlugins())
  return rows.filter(({ start }) => start !== '')
}

/** Reads the hours of a range in which something was counted, in order. They are kept for `AUDIENCE_HOUR_KEPT_DAYS`. */
export async function readHours(em: EntityManager, range: AudienceRange): Promise<SeriesRow[]> {
  const { rows } = await sql<SeriesRow>`
    select to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24') as start, null as viewers,
      ${eachTotal((column, name) => `${column}::float8 as ${name}`)}
    from audience_hour where account_id = ${range.accountId} and video_id = ${range.videoId}
      and hour >= ${range.from}::date::timestamp at time zone 'UTC'
      and hour < (${range.to}::date + 1)::timestamp at time zone 'UTC' order by hour`.execute(
    queries(em).withoutPlugins(),
  )
  return rows
}

/** The most sessions that played at once on a day, or in a month. */
export interface DayPeak {
  /** Of a month, the first. */
  day: string
  sessions: number
}

/** Reads the most sessions that played at once, in each month and on each day of a range that has some, in order. */
export async function readPeaks(em: EntityManager, parts: RangeParts): Promise<DayPeak[]> {
  const { accountId, videoId, months } = parts
  const { rows } = await sql<DayPeak>`
    select month::text as day, peak_sessions as sessions from audience_month
    where account_id = ${accountId} and video_id = ${videoId} and month = any(${months}::date[])
    ${andDays(parts, { table: 'audience_peak', columns: 'day::text, sessions' })}
    order by 1`.execute(queries(em).withoutPlugins())
  return rows
}
