import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** A month of an account. */
export interface AccountMonth {
  accountId: number
  /** The first day. */
  month: string
}

/** A month that is over and has no rows in `audience_month` yet; null if the account had no play so far. */
export type MonthToClose = Pick<AccountMonth, 'accountId'> & { month: string | null }

/** The condition that a row is of a day of the month. */
export const isIn = ({ month }: Pick<AccountMonth, 'month'>) =>
  sql`day >= ${month}::date and day < ${month}::date + interval '1 month'`

/** Locks the account with the lowest id that has a month before `before` to close. Null if there is none. */
export async function lockMonthToClose(
  em: EntityManager,
  before: string,
): Promise<MonthToClose | null> {
  const { rows } = await sql<MonthToClose>`
    select a.id as "accountId", coalesce(a.audience_closed_before, (select date_trunc('month', min(d.day))::date
      from audience_day d where d.account_id = a.id))::text as month
    from account a where a.deleted_at is null and (a.audience_closed_before is null or a.audience_closed_before < ${before}::date)
    order by a.id limit 1 for no key update of a skip locked`.execute(queries(em).withoutPlugins())
  return rows[0] ?? null
}

/** Lists up to `limit` videos with plays in a month that has no row of theirs; an empty id is all videos of the account. */
export async function listUnclosedVideos(
  em: EntityManager,
  of: AccountMonth,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ videoId: string }>`
    select distinct d.video_id as "videoId" from audience_day d where d.account_id = ${of.accountId} and ${isIn(of)}
      and not exists (select from audience_month m where m.account_id = d.account_id and m.video_id = d.video_id
        and m.month = ${of.month}::date)
    order by 1 limit ${limit}`.execute(queries(em).withoutPlugins())
  return rows.map(({ videoId }) => videoId)
}

/** Reads the sketches of the days of a month, of each of these videos. */
export async function readSketchesOfMonth(
  em: EntityManager,
  of: AccountMonth,
  videoIds: readonly string[],
): Promise<{ videoId: string; sketch: Uint8Array }[]> {
  const { rows } = await sql<{ videoId: string; sketch: Uint8Array }>`
    select video_id as "videoId", sketch from audience_sketch where account_id = ${of.accountId}
      and video_id = any(${videoIds}::text[]) and ${isIn(of)}`.execute(queries(em).withoutPlugins())
  return rows
}
