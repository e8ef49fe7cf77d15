import { sql } from 'kysely'
import { VALUES_MAX, type BreakdownKind } from '../../domain/audience/breakdown.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { records } from './records.ts'

/** A day of a video, or of all videos of an account. */
export interface DayOf {
  accountId: number
  videoId: string
  /** Since 1970. */
  day: number
}

const TYPES = { accountId: 'int', videoId: 'text', day: 'int' }

/** The values that a kind has on a day, at most `VALUES_MAX` of them. */
export interface KnownValues extends DayOf {
  kind: BreakdownKind
  values: string[]
}

/** The values that these kinds have on these days. Those without one are left out. */
export async function readKnownValues(
  em: EntityManager,
  wanted: readonly (DayOf & { kind: BreakdownKind })[],
): Promise<KnownValues[]> {
  const { rows } = await sql<KnownValues>`
    select d."accountId", d."videoId", d.day, d.kind, k.values
    from ${records(wanted, { ...TYPES, kind: 'text' })}, lateral (
      select array_agg(x.value) as values from (select v.value from audience_value v where v.account_id = d."accountId"
        and v.video_id = d."videoId" and v.day = date '1970-01-01' + d.day and v.kind = d.kind limit ${VALUES_MAX + 1}) x) k
    where k.values is not null`.execute(queries(em).withoutPlugins())
  return rows
}
