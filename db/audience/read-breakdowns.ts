import { sql, type RawBuilder } from 'kysely'
import type { BreakdownKind } from '../../domain/audience/breakdown.ts'
import type { StepCount } from '../../domain/audience/percentile-of-steps.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { andDays, readRangeParts, type AudienceRange, type RangeParts } from './range-parts.ts'

/** What the plays of a range add up to for a value. */
export interface ValueSums {
  value: string
  plays: number
  watchedMs: number
}

/** Reads the values of a kind in a range, those with the most plays first; at most `limit`. */
export async function readBreakdown(
  em: EntityManager,
  range: AudienceRange,
  kind: BreakdownKind,
  limit: number,
): Promise<ValueSums[]> {
  const { rows } = await sql<ValueSums>`
    select value, sum(plays)::float8 as plays, sum(watched_ms)::float8 as "watchedMs"
    from (${valuesOf(await readRangeParts(em, range), kind)}) v
    group by value having sum(plays) > 0 order by 2 desc, 1 limit ${limit}`.execute(
    queries(em).withoutPlugins(),
  )
  return rows
}

/** Reads how many plays had each step of the time to the first frame. */
export async function readFirstFrameSteps(
  em: EntityManager,
  parts: RangeParts,
): Promise<StepCount[]> {
  const { rows } = await sql<StepCount>`
    select value, sum(plays)::float8 as plays from (${valuesOf(parts, 'startup')}) v group by value`.execute(
    queries(em).withoutPlugins(),
  )
  return rows
}

/** The values of a kind in months and on days, as a query. */
function valuesOf(parts: RangeParts, kind: BreakdownKind): RawBuilder<unknown> {
  const { accountId, videoId, months } = parts
  return sql`
    select e.key as value, (e.value ->> 0)::bigint as plays, (e.value ->> 1)::bigint as watched_ms
    from audience_month m, jsonb_each(m.breakdown -> ${kind}::text) e
    where m.account_id = ${accountId} and m.video_id = ${videoId} and m.month = any(${months}::date[])
    ${andDays(parts, { table: 'audience_value', columns: 'value, plays, watched_ms', where: sql`kind = ${kind}` })}`
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
