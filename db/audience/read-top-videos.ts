import { sql, type RawBuilder } from 'kysely'
import type { DayRange } from '../../domain/audience/ranges.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** How a video was watched in a range. */
export interface TopVideo {
  videoId: string
  title: string
  hasPoster: boolean
  posterVersion: number
  plays: number
  watchedMs: number
  completions: number
  measuredPlays: number
}

/** By what the most watched videos are sorted. */
export type TopOrder = 'plays' | 'watchedMs'

/**
 * Reads the videos with the most plays, or the longest watched time, in a range; at most `limit`. Deleted videos are left out.
 *
 * Needs the running totals of each video at the end of the range and before it. The rows of all videos on one day lie together, so those of the
 * last two days and of the day before the range come first: a video that is watched every day has one. Only the others are looked up one by
 * one, which takes ten times as long; before the first day of the account there is nothing to look up.
 */
export async function readTopVideos(
  em: EntityManager,
  { accountId, from, to }: DayRange & { accountId: number },
  order: TopOrder,
  limit: number,
): Promise<TopVideo[]> {
  const [first, last] = [sql`${from}::date`, sql`${to}::date`]
  const onDay = (day: RawBuilder<unknown>) =>
    sql`select t.video_id, ${TOTALS} from audience_day t where t.account_id = ${accountId} and t.day = ${day}`
  const lastOf = (condition: RawBuilder<unknown>) => sql`
    (select ${TOTALS} from audience_day t where t.account_id = v.account_id and t.video_id = v.id and ${condition}
      order by t.day desc limit 1)`
  const { rows } = await sql<TopVideo>`
    with at_end as materialized (${onDay(last)}), day_before_end as materialized (${onDay(sql`${last} - 1`)}),
      before as materialized (${onDay(sql`${first} - 1`)}),
      earlier as materialized (select exists (
        select from audience_day t where t.account_id = ${accountId} and t.day < ${first} - 1) as has_days)
    select v.id as "videoId", v.title, v.has_poster as "hasPoster", v.poster_version as "posterVersion",
      ${difference('plays')} as plays, ${difference('watched_ms')} as "watchedMs",
      ${difference('completions')} as completions, ${difference('measured_plays')} as "measuredPlays"
    from video v
    left join at_end e1 on e1.video_id = v.id
    left join day_before_end e2 on e2.video_id = v.id and ${last} > ${first}
    left join lateral ${lastOf(sql`coalesce(e1.video_id, e2.video_id) is null and t.day between ${first} and ${last} - 2`)} e3 on true
    left join before b1 on b1.video_id = v.id
    left join lateral ${lastOf(sql`b1.video_id is null and ${end('plays')} is not null and (select has_days from earlier) and t.day < ${first} - 1`)} b2 on true
    where v.account_id = ${accountId} and v.deleted_at is null and ${difference('plays')} > 0
    order by ${sql.ref(order)} desc, v.id limit ${limit}`.execute(queries(em).withoutPlugins())
  return rows
}

const TOTALS = sql.raw('t.plays, t.watched_ms, t.completions, t.measured_plays')

/** The running total at the end of the range; null for a video without a row in it. */
const end = (column: string): RawBuilder<unknown> =>
  sql.raw(`coalesce(e1.${column}, e2.${column}, e3.${column})`)

const difference = (column: string): RawBuilder<unknown> =>
  sql`(${end(column)} - ${sql.raw(`coalesce(b1.${column}, b2.${column}, 0)`)})::float8`
