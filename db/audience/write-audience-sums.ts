import { sql } from 'kysely'
import type { DayDelta } from '../../domain/audience/days-of.ts'
import type { HourDelta, RetentionDelta, ValueDelta } from '../../domain/audience/fold-sessions.ts'
import { TOTAL_NAMES, type Totals } from '../../domain/audience/totals.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { records } from './records.ts'
import { eachTotal } from './total-columns.ts'

const OF = { accountId: 'int', videoId: 'text' }
const TOTAL_TYPES = Object.fromEntries(TOTAL_NAMES.map((name) => [name, 'bigint'])) as Record<
  keyof Totals,
  string
>

/** Adds to the sums of hours. */
export async function addToHours(em: EntityManager, deltas: readonly HourDelta[]): Promise<void> {
  const rows = deltas.map(({ totals, ...of }) => ({ ...of, ...totals }))
  await sql`
    insert into audience_hour as h (account_id, video_id, hour, ${eachTotal((column) => column)})
    select d."accountId", d."videoId", to_timestamp(d.hour * 3600.0), ${eachTotal((_, name) => `d.${name}`)}
    from ${records(rows, { ...OF, hour: 'int', ...TOTAL_TYPES })} order by 1, 2, 3
    on conflict (account_id, video_id, hour) do update
      set ${eachTotal((column) => `${column} = h.${column} + excluded.${column}`)}`.execute(
    queries(em),
  )
}

const DAY = sql`(date '1970-01-01' + d.day)`

/**
 * Adds to the totals up to the end of each day: to those of this day and of all later ones. A day without a row first gets the
 * totals up to the day before it. Only one transaction may do so at a time.
 */
export async function addToDays(em: EntityManager, deltas: readonly DayDelta[]): Promise<void> {
  const rows = deltas.map(({ totals, ...of }) => ({ ...of, ...totals }))
  const table = records(rows, { ...OF, day: 'int', viewerDays: 'bigint', ...TOTAL_TYPES })
  await sql`
    insert into audience_day (account_id, video_id, day, viewer_days, ${eachTotal((column) => column)})
    select d."accountId", d."videoId", ${DAY}, coalesce(b.viewer_days, 0), ${eachTotal((column) => `coalesce(b.${column}, 0)`)}
    from ${table} left join lateral (select * from audience_day b where b.account_id = d."accountId"
      and b.video_id = d."videoId" and b.day < ${DAY} order by b.day desc limit 1) b on true
    order by 1, 2, 3 on conflict do nothing`.execute(queries(em))
  await sql`
    update audience_day b set viewer_days = b.viewer_days + c."viewerDays", ${eachTotal((column, name) => `${column} = b.${column} + c.${name}`)}
    from (select t.account_id, t.video_id, t.day, sum(d."viewerDays") as "viewerDays", ${eachTotal((_, name) => `sum(d.${name}) as ${name}`)}
      from ${table} join audience_day t on t.account_id = d."accountId" and t.video_id = d."videoId"
        and t.day >= ${DAY} group by 1, 2, 3) c
    where b.account_id = c.account_id and b.video_id = c.video_id and b.day = c.day`.execute(
    queries(em),
  )
}

/** Adds to the values of breakdowns. */
export async function addToValues(em: EntityManager, deltas: readonly ValueDelta[]): Promise<void> {
  const types = {
    ...OF,
    day: 'int',
    kind: 'text',
    value: 'text',
    plays: 'bigint',
    watchedMs: 'bigint',
  }
  await sql`
    insert into audience_value as v (account_id, video_id, day, kind, value, plays, watched_ms)
    select d."accountId", d."videoId", ${DAY}, d.kind, d.value, sum(d.plays), sum(d."watchedMs") from ${records(deltas, types)}
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (account_id, video_id, day, kind, value) do update
      set plays = v.plays + excluded.plays, watched_ms = v.watched_ms + excluded.watched_ms`.execute(
    queries(em),
  )
}

/** Adds to the retention curves of videos. */
export async function addToRetention(
  em: EntityManager,
  deltas: readonly RetentionDelta[],
): Promise<void> {
  const types = { ...OF, monthDay: 'int', views: 'bigint', parts: 'text', replays: 'text' }
  const rows = deltas.map((delta) => ({
    ...delta,
    parts: `{${delta.parts.join(',')}}`,
    replays: `{${delta.replays.join(',')}}`,
  }))
  const sum = (column: string) =>
    sql.raw(`(select array_agg(u.a + u.b order by u.place)
      from unnest(r.${column}, excluded.${column}) with ordinality as u (a, b, place))`)
  await sql`
    insert into audience_retention as r (account_id, video_id, month, views, parts, replays)
    select d."accountId", d."videoId", date '1970-01-01' + d."monthDay", d.views, d.parts::int[], d.replays::int[]
    from ${records(rows, types)} order by 1, 2, 3
    on conflict (account_id, video_id, month) do update
      set views = r.views + excluded.views, parts = ${sum('parts')}, replays = ${sum('replays')}`.execute(
    queries(em),
  )
}
