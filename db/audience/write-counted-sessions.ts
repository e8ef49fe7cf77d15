import { sql } from 'kysely'
import type { SessionMeasures } from '../../domain/audience/session-measures.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import type { LockedSession } from './sessions-to-count.ts'

/**
 * Marks locked sessions as counted with these measures, in their order. One that has ended keeps them in its own columns: of a session that is
 * not open, all is counted. One that goes on stays open, and keeps them beside. One that has ended loses its viewer if its account keeps
 * totals only.
 */
export async function markCounted(
  em: EntityManager,
  sessions: readonly LockedSession[],
  counted: readonly SessionMeasures[],
): Promise<void> {
  const json = sessions.map(({ isAlive }, at) => (isAlive ? JSON.stringify(counted[at]) : null))
  const credited = counted.map(({ parts }) => parts !== null)
  const nameless = sessions.map(
    ({ isAlive, isTotalsOnly, isPreview }) => isTotalsOnly && !isAlive && !isPreview,
  )
  const startedMs = sessions.map(({ startedAtMs }) => startedAtMs)
  // The times of the batch and `is_open` keep PostgreSQL from reading all sessions.
  const [first, last] = [Math.min(...startedMs), Math.max(...startedMs)]
  await sql`
    update playback_record s set counted_at = now(), is_open = c.counted is not null, counted = c.counted,
      parts = case when c.counted is not null or c.credited then s.parts end,
      replayed_parts = case when c.counted is not null or c.credited then s.replayed_parts end,
      viewer_id = case when not c.nameless then s.viewer_id end, stretches = case when not c.nameless then s.stretches end
    from unnest(${sessions.map(({ id }) => id)}::uuid[], ${startedMs}::float8[],
        ${json}::jsonb[], ${credited}::boolean[], ${nameless}::boolean[]) as c (id, started_ms, counted, credited, nameless)
    where s.id = c.id and s.started_at = to_timestamp(c.started_ms / 1000) and s.is_open
      and s.started_at between to_timestamp(${first}::float8 / 1000) and to_timestamp(${last}::float8 / 1000)`.execute(
    queries(em),
  )
}
