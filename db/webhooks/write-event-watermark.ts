import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { exactlyOne, queries } from '../queries.ts'
import { IS_OWN_WATERMARK, SETTLED } from './settled-events.ts'

/**
 * Moves the watermark to the oldest open transaction of this database, if the snapshot of the server is not as far. Call it outside a
 * transaction: PostgreSQL lists the connections once in each. Safe from several processes, because it never moves back.
 *
 * The order of the statements matters. PostgreSQL lists a transaction as running before it gives the next id, so each open
 * transaction below the end of a snapshot is in a list that is read after the snapshot. A prepared transaction is listed as such
 * before its connection leaves the list of running ones.
 */
export async function moveWatermark(em: EntityManager): Promise<void> {
  const { end, ids: running } = await readRunning(em)
  const prepared = await readPrepared(em)
  const settled = oldestOf(BigInt(end), [...running, ...prepared])
  // Without a row to write, it takes no transaction id.
  await sql`
    insert into event_watermark as w (id, settled_before, written_by)
    select 1, n.settled_before, pg_current_xact_id()
    from (select ${String(settled)}::xid8 as settled_before) n where n.settled_before > ${SETTLED}
    on conflict (id) do update set settled_before = excluded.settled_before, written_by = excluded.written_by
      where excluded.settled_before > w.settled_before or not ${IS_OWN_WATERMARK}`.execute(
    queries(em),
  )
}

/** The oldest of these ids of 32 bits, as one of 64 bits; `end` if none is older. */
export const oldestOf = (end: bigint, ids: string[]): bigint =>
  ids
    .map((id) => end + BigInt.asIntN(32, BigInt(id) - end))
    .reduce((oldest, id) => (id < oldest ? id : oldest), end)

/**
 * The end of a snapshot, and after it the ids of the running transactions of this database. Every role may read them, unlike the
 * statements of other roles.
 */
async function readRunning(em: EntityManager): Promise<{ end: string; ids: string[] }> {
  const { rows } = await sql<{ end: string; ids: string[] }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as "end", array(
      select a.backend_xid::text from pg_stat_get_activity(null) a
      where a.backend_xid is not null
        and a.datid = (select oid from pg_database where datname = current_database())) as ids`.execute(
    queries(em),
  )
  return exactlyOne(rows)
}

async function readPrepared(em: EntityManager): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select transaction::text as id from pg_prepared_xacts where database = current_database()`.execute(
    queries(em),
  )
  return rows.map(({ id }) => id)
}
