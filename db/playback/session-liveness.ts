import { sql } from 'kysely'
import type { PlaybackSession } from '../../domain/playback/playback-session.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/**
 * Whether the session was given a key, a licence or a renewal within the last `withinMs`. Resolves to null if it has
 * no row: it has asked for nothing yet.
 */
export async function findSessionLiveness(
  em: EntityManager,
  { sessionId, startedAtMs }: Pick<PlaybackSession, 'sessionId' | 'startedAtMs'>,
  withinMs: number,
): Promise<boolean | null> {
  const row = await queries(em)
    .selectFrom('playback_record as s')
    .select(
      sql<boolean>`s.last_seen_at > now() - ${withinMs}::float8 * interval '1 ms'`.as('isAlive'),
    )
    .where('s.id', '=', sessionId)
    .where('s.startedAt', '=', new Date(startedAtMs))
    .executeTakeFirst()
  return row?.isAlive ?? null
}
