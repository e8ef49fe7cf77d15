import type { EntityManager } from '../../db/database.ts'
import { findPlayingSession, type PlayingSession } from '../../db/playback/playing-sessions.ts'
import { endSession } from '../../db/playback/write-playback-sessions.ts'
import { giveUpLease } from '../../db/playback/write-stream-leases.ts'
import { Refusal } from '../refusal.ts'

/**
 * Ends a playback session of the account: it gets no more keys, and its player stops at the next heartbeat.
 * Refuses with `playback_session_not_found` unless it plays now. The viewer may open the page again.
 */
export async function endPlayback(
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<PlayingSession> {
  const session = await findPlayingSession(em, accountId, id)
  if (!session) throw new Refusal('playback_session_not_found')
  await em.transactional(async (tx) => {
    await giveUpLease(tx, { accountId, viewerId: session.viewerId, sessionId: id })
    await endSession(tx, id)
  })
  return session
}
