import type { PlaybackSession } from '../../domain/playback/playback-session.ts'
import { keepsTotalsOnly } from '../audience/viewer-data.ts'
import type { EntityManager } from '../database.ts'

/** SQL that is true if a session has a row that names no viewer. The parameters are SQL too. */
export const hasNoViewerSql = (sessionId: string, startedAtMs: string): string => `
  exists (select from playback_record s where s.id = ${sessionId}
    and s.started_at = to_timestamp(${startedAtMs} / 1000) and s.viewer_id is null)`

/**
 * True if the viewer of a session, whose token names them, was erased. An account that keeps totals only takes viewers out of
 * sessions too, but not out of what enforces rules.
 */
export async function wasViewerErased(
  em: EntityManager,
  { sessionId, startedAtMs, accountId, viewerId }: PlaybackSession,
): Promise<boolean> {
  if (viewerId === null) return false
  const found = await em.execute<unknown[]>(
    `select from account a where a.id = ? and not ${keepsTotalsOnly('a')}
       and ${hasNoViewerSql('?::uuid', '?::float8')}`,
    [accountId, sessionId, startedAtMs],
  )
  return found.length > 0
}
