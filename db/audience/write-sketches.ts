import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { records } from './records.ts'
import type { DaySketch } from './sketches.ts'

/** Replaces the sketches of days. */
export async function writeDaySketches(
  em: EntityManager,
  sketches: readonly DaySketch[],
): Promise<void> {
  await sql`
    insert into audience_sketch (account_id, video_id, day, sketch)
    select d."accountId", d."videoId", date '1970-01-01' + d.day, d.bytes
    from ${records(sketches, { accountId: 'int', videoId: 'text', day: 'int', bytes: 'bytea' })} order by 1, 2, 3
    on conflict (account_id, video_id, day) do update set sketch = excluded.sketch`.execute(
    queries(em),
  )
}
