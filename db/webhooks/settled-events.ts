import { sql } from 'kysely'

/**
 * Whether the watermark `w` was written in this database: its row then names the transaction that wrote it. A row that a restore has
 * copied does not, and counts transactions of another server.
 */
export const IS_OWN_WATERMARK = sql.raw(
  '(w.written_by::text::bigint % 4294967296 = w.xmin::text::bigint)',
)

/**
 * The id of a transaction before which every transaction of this database has ended: no event can still appear before it (ADR 0063).
 * The snapshot counts the transactions of all databases of the server, the watermark only those of this one.
 */
export const SETTLED = sql<string>`greatest(pg_snapshot_xmin(pg_current_snapshot()),
  (select w.settled_before from event_watermark w where ${IS_OWN_WATERMARK}))`
