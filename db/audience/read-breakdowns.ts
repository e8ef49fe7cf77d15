import { sql } from 'kysely'
import type { BreakdownKind } from '../../domain/audience/breakdown.ts'
import type { StepCount } from '../../domain/audience/percentile-of-steps.ts'
import type { DayRange } from '../../domain/audience/ranges.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import type { AudienceRange } from './read-audience.ts'

/** What the plays of a range add up to for a value. */
export interface ValueSums {
  value: string
  plays: number
  watchedMs: number
}

/** Reads the values of a kind in a range, those with the most plays first; at most `limit`. */
export async function readBreakdown(
  em: EntityManager,
  { accountId, videoId, from, to }: AudienceRange,
  kind: BreakdownKind,
  limit: number,
): Promise<ValueSums[]> {
  const { rows } = await sql<ValueSums>`
    select value, sum(plays)::float8 as plays, sum(watched_ms)::float8 as "watchedMs" from audience_value
    where account_id = ${accountId} and video_id = ${videoId} and kind = ${kind}
      and day between ${from}::date and ${to}::date
    group by value having sum(plays) > 0 order by 2 desc, 1 limit ${limit}`.execute(
    queries(em).withoutPlugins(),
  )
  return rows
}

/** How many plays had each step of the time to the first frame. */
export interface FirstFrameSteps {
  range: StepCount[]
  before: StepCount[]
}

/** Reads the steps of the time to the first frame in a range, and in the one before it. */
export async function readFirstFrameSteps(
  em: EntityManager,
  { accountId, videoId, from, to }: AudienceRange,
  before: DayRange,
): Promise<FirstFrameSteps> {
  const { rows } = await sql<{ value: string; range: number; before: number }>`
    select value, coalesce(sum(plays) filter (where day >= ${from}::date), 0)::float8 as range,
      coalesce(sum(plays) filter (where day < ${from}::date), 0)::float8 as before
    from audience_value where account_id = ${accountId} and video_id = ${videoId} and kind = 'startup'
      and day between ${before.from}::date and ${to}::date group by value`.execute(
    queries(em).withoutPlugins(),
  )
  return {
    range: rows.map(({ value, range: plays }) => ({ value, plays })),
    before: rows.map(({ value, before: plays }) => ({ value, plays })),
  }
}

/** How often each hundredth of a video was shown. */
export interface RetentionSums {
  views: number
  parts: number[]
  replays: number[]
}

/** Adds up the retention curves of the months of a range; a month belongs to it if one of its days does. Null if nothing was watched. */
export async function readRetention(
  em: EntityManager,
  { accountId, videoId, from, to }: AudienceRange,
): Promise<RetentionSums | null> {
  const sums = (column: string) =>
    sql.raw(`
    (select array_agg(s.count order by s.place) from (
      select u.place, sum(u.count)::int as count from months m, unnest(m.${column}) with ordinality as u (count, place)
      group by u.place) s)`)
  const { rows } = await sql<RetentionSums | { views: null }>`
    with months as materialized (
      select views, parts, replays from audience_retention where account_id = ${accountId} and video_id = ${videoId}
        and month between date_trunc('month', ${from}::date)::date and ${to}::date)
    select sum(views)::int as views, ${sums('parts')} as parts, ${sums('replays')} as replays from months`.execute(
    queries(em).withoutPlugins(),
  )
  const [row] = rows
  return row && row.views !== null && row.views > 0 ? row : null
}
