import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { records } from './records.ts'
import type { DaySketch, MonthSketch } from './sketches.ts'

const OF = { accountId: 'int', videoId: 'text' }

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Replaces the sketches of days. */
export async function writeDaySketches(
  em: EntityManager,
  sketches: readonly DaySketch[],
): Promise<void> {
  const rows = sketches.map(({ bytes, ...of }) => ({ ...of, hex: hexOf(bytes) }))
  await sql`
    insert into audience_sketch (account_id, video_id, day, sketch)
    select d."accountId", d."videoId", date '1970-01-01' + d.day, decode(d.hex, 'hex')
    from ${records(rows, { ...OF, day: 'int', hex: 'text' })} order by 1, 2, 3
    on conflict (account_id, video_id, day) do update set sketch = excluded.sketch`.execute(
    queries(em),
  )
}

/** Replaces the sketches of months. */
export async function writeMonthSketches(
  em: EntityManager,
  sketches: readonly MonthSketch[],
): Promise<void> {
  const rows = sketches.map(({ bytes, ...of }) => ({ ...of, hex: hexOf(bytes) }))
  await sql`
    insert into audience_month_sketch (account_id, video_id, month, sketch)
    select d."accountId", d."videoId", date '1970-01-01' + d."monthDay", decode(d.hex, 'hex')
    from ${records(rows, { ...OF, monthDay: 'int', hex: 'text' })} order by 1, 2, 3
    on conflict (account_id, video_id, month) do update set sketch = excluded.sketch`.execute(
    queries(em),
  )
}
