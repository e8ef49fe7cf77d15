import type { NextFunction, Request } from 'express'
import { findSessionEnd } from '../../../db/playback/playback-sessions.ts'
import { findSessionLiveness } from '../../../db/playback/session-liveness.ts'
import type { PlaybackSession } from '../../../domain/playback/playback-session.ts'
import type { MasterKeys } from '../../../security/sealing/sealing.ts'
import { openPlaylistTicket, sealPlaylistTicket } from '../../../security/tokens/playlist-ticket.ts'
import { SESSION_TTL_MS } from '../../../security/tokens/session-token.ts'
import type { ServerContext } from '../deps.ts'
import { paths } from '../paths.ts'
import { putSession, sessionEnded, sessionRequired, type SessionResponse } from '../session.ts'

/** Returns the path of a session's master playlist for a player that sends no header. */
export const signedMasterPath = (masterKeys: MasterKeys, sessionToken: string): string =>
  paths.signedHlsMaster(sealPlaylistTicket(masterKeys, sessionToken))

/**
 * Verifies the ticket in the path and puts its session into `response.locals`, like `requireSession`. A native player
 * keeps the address that it was given first, so the ticket is valid as long as the session: five minutes, and
 * from then on while the session is renewed. Throws 403 `session_required` for any other ticket, and 403 with
 * the reason if the session may not continue.
 */
export function requirePlaylistTicket(context: ServerContext) {
  return async (request: Request, response: SessionResponse, next: NextFunction): Promise<void> => {
    const opened = openPlaylistTicket(context, String(request.params.ticket), Date.now())
    if (!opened) throw sessionRequired()
    await requireAlive(context, opened)
    putSession(response, opened.session)
    next()
  }
}

async function requireAlive(
  { db }: ServerContext,
  { session, isFresh }: { session: PlaybackSession; isFresh: boolean },
): Promise<void> {
  const [end, isAlive] = await Promise.all([
    findSessionEnd(db.em.fork(), session),
    findSessionLiveness(db.em.fork(), session, SESSION_TTL_MS),
  ])
  // Before its first licence, a session has no lease.
  const isStarting = end === 'too_many_streams' && isAlive === null
  if (end !== null && !isStarting) throw sessionEnded(end)
  if (!isFresh && isAlive !== true) throw sessionRequired()
}
