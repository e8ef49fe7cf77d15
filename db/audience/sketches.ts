import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import type { DayOf } from './audience-sums.ts'
import { andDays, type RangeParts } from './range-parts.ts'
import { records } from './records.ts'

/** The sketch of the viewers of a day, as it is stored. */
export interface DaySketch extends DayOf {
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

/**
 * Reads sketches that have together the viewers of a range: of months, and of days. As Base64, because PostgreSQL would send
 * twice as many characters, which wait for the collector.
 */
export async function readRangeSketches(
  em: EntityManager,
  parts: RangeParts,
): Promise<Uint8Array[]> {
  const { accountId, videoId, months } = parts
  const { rows } = await sql<{ text: string }>`
    select encode(sketch, 'base64') as text from audience_month
    where account_id = ${accountId} and video_id = ${videoId} and month = any(${months}::date[]) and sketch is not null
    ${andDays(parts, { table: 'audience_sketch', columns: `encode(sketch, 'base64')` })}`.execute(
    queries(em).withoutPlugins(),
  )
  return rows.map(({ text }) => Buffer.from(text, 'base64'))
}
