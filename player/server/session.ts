import type { NextFunction, Request, Response } from 'express'
import { z } from 'zod'
import { OVER_LIMIT } from '../../commands/security-events/note-session-event.ts'
import { forkForRequest, type EntityManager } from '../../db/database.ts'
import { findSessionEnd } from '../../db/playback/playback-sessions.ts'
import { endSession } from '../../db/playback/write-playback-sessions.ts'
import { giveUpLease } from '../../db/playback/write-stream-leases.ts'
import { refusalByDomain, type SessionSettings } from '../../domain/playback/embed-access.ts'
import {
  readPlaybackReport,
  type PlaybackReport,
  type PlaybackSession,
  type SessionEnd,
} from '../../domain/playback/playback-session.ts'
import { isViewerTokenEnforced } from '../../domain/settings/player-settings.ts'
import { isPlayable } from '../../domain/videos/video-state.ts'
import { getRequestId } from '../../processes/request-log.ts'
import type { SigningKeys } from '../../security/hmac.ts'
import { signSession, verifySession } from '../../security/tokens/session-token.ts'
import type { Preparation } from '../player-data.ts'
import type { ServerContext } from './deps.ts'
import { preparationOf } from './growing/preparation.ts'
import { tooManyRequests } from './limits/anonymous-limits.ts'
import { PlayerError } from './player-error.ts'
import { recordIncident, recordSessionEvent } from './security-events/record-session-event.ts'
import { userAgentOf } from './user-agent.ts'

/** Header that carries the session token. Cookies do not work in every third-party frame. */
export const SESSION_HEADER = 'X-Playback-Session'

interface SessionLocals {
  session: PlaybackSession
  /** For the request log. */
  accountId: number
}

/** The response in a route behind `requireSession`. */
export type SessionResponse = Response<unknown, SessionLocals>

/**
 * Verifies the session token and puts the session into `response.locals`. Throws 403
 * `session_required` if the token is missing, forged or expired for longer than `graceMs`, or if the
 * path names another video.
 */
export function requireSession(keys: SigningKeys, graceMs = 0) {
  return (request: Request, response: SessionResponse, next: NextFunction): void => {
    const session = verifySession(request.get(SESSION_HEADER) ?? '', keys, Date.now(), graceMs)
    const { videoId } = request.params
    if (!session || (videoId !== undefined && videoId !== session.videoId)) throw sessionRequired()
    putSession(response, session)
    next()
  }
}

/** The refusal of a request without a valid session. */
export const sessionRequired = (): PlayerError =>
  new PlayerError(403, 'session_required', 'The playback session is missing or has ended.')

/** Puts a verified session into `response.locals`, and forbids caches to keep the response. */
export function putSession(response: SessionResponse, session: PlaybackSession): void {
  response.locals.session = session
  response.locals.accountId = session.accountId
  response.set('Cache-Control', 'private, no-store')
}

/** Limits what a session without a viewer writes. Put it behind `requireSession`. */
export const limitWrites =
  ({ limits }: Pick<ServerContext, 'limits'>) =>
  (request: Request, response: SessionResponse, next: NextFunction): void => {
    const { session } = response.locals
    if (session.viewerId === null) limits.takeWrite(session, request, response)
    next()
  }

/** Limits licence requests before their body is read. `isPaid` says that a DRM provider bills them. Put it behind `requireSession`. */
export const limitLicences =
  ({ limits, licenceLimits }: Pick<ServerContext, 'limits' | 'licenceLimits'>, isPaid: boolean) =>
  (request: Request, response: SessionResponse, next: NextFunction): void => {
    const networks = isPaid ? limits.networksOf(request) : null
    const refusal = licenceLimits.take(response.locals.session, networks, isPaid)
    if (refusal) throw tooManyRequests(response, refusal.limit, refusal.waitMs)
    next()
  }

const END_MESSAGES: Record<SessionEnd, string> = {
  secret_rotated: 'The site has renewed access to its videos. Its page has to be reloaded.',
  video_deleted: 'The video is no longer available.',
  video_failed: 'The video could not be prepared.',
  viewer_revoked: 'The site has withdrawn access from this viewer.',
  too_many_streams: 'This viewer plays too many videos at the same time.',
  session_ended: 'This playback session has ended.',
}

/** The refusal of a session that may not continue. */
export const sessionEnded = (end: SessionEnd): PlayerError =>
  new PlayerError(403, end, END_MESSAGES[end])

/**
 * Why a session that was refused a key, a licence or a renewal may not continue; null when it may. A session that is
 * over for another reason than the limit leaves its lease to another play.
 */
export async function sessionEnd(
  em: EntityManager,
  session: PlaybackSession,
): Promise<SessionEnd | null> {
  const end = await findSessionEnd(em, session)
  if (end !== null && end !== 'too_many_streams') await giveUpLease(em, session)
  return end
}

const incidentBody = z.strictObject({
  kind: z.literal('watermark_tampered'),
  how: z.enum(['removed', 'hidden', 'restyled', 'covered', 'picture_in_picture', 'moved']),
  /** True if the player has stopped playback. The session then gets no more keys and renewals. */
  stopped: z.boolean().default(false),
})

/** What a player reports about its session: heartbeats and incidents. */
export function reportHandlers(context: ServerContext) {
  const { db, heartbeats, viewerPace, sessionKeys, serviceDomains, directPlayHost } = context
  /** Apps have no site, and members watch in the dashboard. */
  const isSiteRefused = (
    { refererHost: host, isMember }: PlaybackSession,
    settings: SessionSettings,
  ): boolean =>
    host !== null &&
    !isMember &&
    refusalByDomain({ host, settings, serviceDomains, directPlayHost }) !== null
  /** One without a verified viewer began before tokens were required. */
  const isRefused = (session: PlaybackSession, settings: SessionSettings): boolean =>
    (session.viewerId === null && isViewerTokenEnforced(settings)) ||
    isSiteRefused(session, settings)
  const { growingVideos, playheads } = context
  const findPreparation = async (
    { videoId }: PlaybackSession,
    { positionMs }: PlaybackReport,
  ): Promise<Preparation> => {
    const video = await growingVideos.find(videoId)
    if (positionMs !== null) playheads.note(videoId, video, positionMs)
    return preparationOf(video, positionMs ?? 0)
  }
  return {
    /**
     * Renews the session token, records the position and returns the current number of renditions, when the next
     * heartbeat is due, and what plays of a video that is still being prepared. The heartbeats of a process share
     * their statements. A viewer who waits for the start of the video leaves no record. A page that closes
     * gets no new token. Ends the session if the domain rules refuse its site meanwhile, or if it lacks a viewer token that is
     * required meanwhile.
     */
    heartbeat: async (request: Request, response: SessionResponse): Promise<void> => {
      const { session } = response.locals
      const nowMs = Date.now()
      const report = readPlaybackReport(request.body, nowMs - session.startedAtMs)
      const userAgent = userAgentOf(request)
      const published = await heartbeats.record(session, userAgent, report)
      if (published === null) {
        const em = forkForRequest(db, getRequestId(response))
        const end = await sessionEnd(em, session)
        if (end === 'too_many_streams')
          await recordSessionEvent(context, request, response, OVER_LIMIT)
        throw sessionEnded(end ?? 'session_ended')
      }
      if (report.isLeaving) return void response.status(204).end()
      if (isRefused(session, published.settings)) {
        const em = forkForRequest(db, getRequestId(response))
        await endSession(em, session.sessionId)
        await giveUpLease(em, session)
        throw sessionEnded('session_ended')
      }
      const { status, renditions } = published
      const isWaiting = report.isWaiting === true && !isPlayable(status)
      response.json({
        session: signSession(session, sessionKeys, nowMs),
        renditions,
        is_complete: status === 'ready',
        next_in_seconds: viewerPace.heartbeat({ status, isWaiting }, performance.now()),
        preparation: isPlayable(status) ? null : await findPreparation(session, report),
      })
    },

    /** Records tampering as a security event, at most one for each session and way. */
    incident: async (request: Request, response: SessionResponse): Promise<void> => {
      const body = incidentBody.safeParse(request.body)
      if (!body.success)
        throw new PlayerError(
          400,
          'invalid_incident',
          'The body does not describe a known incident.',
        )
      await recordIncident(context, request, response, body.data)
      response.status(204).end()
    },
  }
}
