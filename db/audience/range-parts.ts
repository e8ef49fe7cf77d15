import { sql, type RawBuilder } from 'kysely'
import { daysBesideMonths, wholeMonths, type DayRange } from '../../domain/audience/ranges.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** What is read: of an account, all videos (`ALL_VIDEOS`) or one. */
export interface AudienceRange extends DayRange {
  accountId: number
  videoId: string
}

/** A range of an account, of all videos or of one, by the rows that are read for it. */
export interface RangeParts {
  accountId: number
  videoId: string
  /** The first days of whole months that have a row. */
  months: string[]
  /** The other days. */
  days: DayRange[]
}

/** Divides a range: its whole months that have a row, and the days of all others. */
export async function readRangeParts(
  em: EntityManager,
  { accountId, videoId, from, to }: AudienceRange,
): Promise<RangeParts> {
  const whole = wholeMonths({ from, to })
  const { rows } = await sql<{ month: string }>`
    select month::text from audience_month where account_id = ${accountId} and video_id = ${videoId}
      and month >= ${whole.from}::date and month < ${whole.before}::date order by month`.execute(
    queries(em).withoutPlugins(),
  )
  const months = rows.map(({ month }) => month)
  return { accountId, videoId, months, days: daysBesideMonths({ from, to }, months) }
}

/** The same range, read by its days alone. */
export const inDays = ({ accountId, videoId, from, to }: AudienceRange): RangeParts => ({
  accountId,
  videoId,
  months: [],
  days: [{ from, to }],
})

/**
 * The rest of a statement that reads months: it adds what is selected from the rows of the days, those of each range by a select
 * of its own. Ranges as a table would hide from PostgreSQL how few rows they have.
 */
export function andDays(
  { accountId, videoId, days }: RangeParts,
  { table, columns, where = sql`true` }: DayRows,
): RawBuilder<unknown> {
  const selects = days.map(
    ({ from, to }) => sql`
    union all select ${sql.raw(columns)} from ${sql.table(table)}
    where account_id = ${accountId} and video_id = ${videoId} and ${where} and day between ${from}::date and ${to}::date`,
  )
  return sql.join(selects, sql` `)
}

interface DayRows {
  table: 'audience_value' | 'audience_sketch' | 'audience_peak'
  columns: string
  where?: RawBuilder<unknown>
}
