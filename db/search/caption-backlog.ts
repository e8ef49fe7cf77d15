import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { COUNTED_MAX, type Backlog } from '../ingest/backlog.ts'
import { exactlyOne, queries } from '../queries.ts'

/**
 * Changes of captions that the index of the search does not have yet. Reads the primary key: for the oldest, the first change of each account
 * that has any.
 */
export async function readCaptionBacklog(em: EntityManager): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    with recursive oldest (account_id, created_at) as (
      (select account_id, created_at from caption_change order by account_id, id limit 1)
      union all select n.account_id, n.created_at from oldest o cross join lateral
        (select c.account_id, c.created_at from caption_change c where c.account_id > o.account_id
          order by c.account_id, c.id limit 1) n)
    select
      (select count(*)::int from (select id from caption_change limit ${COUNTED_MAX}) c) as count,
      coalesce((select greatest(0, extract(epoch from now() - min(created_at)))::float8 from oldest), 0)
        as oldest_seconds`.execute(queries(em))
  return exactlyOne(rows)
}
