import { sql } from 'kysely'
import type { DayRange } from '../../domain/audience/ranges.ts'
import type { Totals } from '../../domain/audience/totals.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { eachTotal } from './total-columns.ts'

/** What is read: of an account, all videos (`ALL_VIDEOS`) or one. */
export interface AudienceRange extends DayRange {
  accountId: number
  videoId: string
}

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

/** The most sessions that played at once on a day. */
export interface DayPeak {
  day: string
  sessions: number
}

/** Reads the most sessions that played at once on each day of a range that has some. */
export async function readPeaks(
  em: EntityManager,
  { accountId, videoId, from, to }: AudienceRange,
): Promise<DayPeak[]> {
  const { rows } = await sql<DayPeak>`
    select day::text, sessions from audience_peak where account_id = ${accountId} and video_id = ${videoId}
      and day between ${from}::date and ${to}::date order by day`.execute(
    queries(em).withoutPlugins(),
  )
  return rows
}
