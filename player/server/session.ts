import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { deriveKey } from '../../security/sealing.ts'
import type { MasterKeys } from '../../security/sealing.ts'
import { verifySession } from '../../security/session-token.ts'
import type { PlaybackSession } from '../../domain/playback-session.ts'
import { PlayerError } from './player-error.ts'

/** The header that carries the session token; never a cookie, which a third-party frame may not have. */
export const SESSION_HEADER = 'X-Playback-Session'

export const sessionKey = (masterKeys: MasterKeys): Buffer =>
  deriveKey(masterKeys, 'playback-session')

/**
 * Lets through what carries a live session, of the video in the path where it names one; one that
 * has expired no longer than `graceMs` ago, where that is given.
 */
export function requireSession(key: Buffer, graceMs = 0): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const session = verifySession(request.get(SESSION_HEADER) ?? '', key, Date.now(), graceMs)
    const { videoId } = request.params
    if (!session || (videoId !== undefined && videoId !== session.videoId))
      throw new PlayerError(
        403,
        'session_required',
        'The playback session is missing or has ended.',
      )
    response.locals.session = session
    response.locals.accountId = session.accountId
    response.set('Cache-Control', 'private, no-store')
    next()
  }
}

/** The session of a request behind `requireSession`. */
export const sessionOf = (response: Response): PlaybackSession =>
  response.locals.session as PlaybackSession

const USER_AGENT_MAX_LENGTH = 300

/** What the browser calls itself, as sessions keep it. */
export const userAgentOf = (request: Request): string | null =>
  request.get('User-Agent')?.slice(0, USER_AGENT_MAX_LENGTH) ?? null
