import type { Request, Response } from 'express'
import {
  eventOfIncident,
  noteIncident,
  noteSessionEvent,
  type Incident,
  type SessionEvent,
} from '../../../commands/security-events/note-session-event.ts'
import type { EntityManager } from '../../../db/database.ts'
import { wasViewerErased } from '../../../db/playback/sessions-without-viewer.ts'
import type { PlaybackSession } from '../../../domain/playback/playback-session.ts'
import { getRequestId } from '../../../processes/request-log.ts'
import type { ServerContext } from '../deps.ts'
import { tooManyRequests } from '../limits/anonymous-limits.ts'
import { userAgentOf } from '../user-agent.ts'

type Observing = Pick<ServerContext, 'recorder' | 'limits'>
type SessionResponse = Response<unknown, { session: PlaybackSession }>

/**
 * Records a security event of the session of a request, once for each session, type and details. Those of further
 * sessions of its viewer, or of its network if it has no viewer, are counted on the same event for an hour.
 */
export const recordSessionEvent = (
  context: Observing,
  request: Request,
  response: SessionResponse,
  event: SessionEvent,
): Promise<void> =>
  record(context, request, response, event, {
    note: (tx, session) => noteSessionEvent(tx, session, userAgentOf(request), event),
    isAlone: false,
  })

/** Records an incident that the player reports, as `recordSessionEvent` does, and ends the session if the player has stopped. */
export const recordIncident = (
  context: Observing,
  request: Request,
  response: SessionResponse,
  incident: Incident,
): Promise<void> =>
  record(context, request, response, eventOfIncident(incident), {
    note: (tx, session) => noteIncident(tx, session, userAgentOf(request), incident),
    // Everything else locks the lease of a viewer before a session.
    isAlone: true,
  })

async function record(
  { recorder, limits }: Observing,
  request: Request,
  response: SessionResponse,
  event: SessionEvent,
  {
    note,
    isAlone,
  }: {
    note: (tx: EntityManager, session: PlaybackSession) => Promise<boolean>
    isAlone: boolean
  },
): Promise<void> {
  const { session } = response.locals
  const { accountId, videoId, viewerId } = session
  const repeatsOf = limits.originOf(viewerId, request)
  if ((viewerId === null && recorder.isFull()) || recorder.isFullOf({ accountId, repeatsOf }))
    throw tooManyRequests(response, 'waiting_events')
  const requestId = getRequestId(response)
  const observed = { ...event, accountId, videoId, viewerId, repeatsOf, requestId }
  const prepare = async (tx: EntityManager): Promise<boolean> => {
    const isNew = await note(tx, session)
    // The player of an ended session goes on for a moment.
    if (isNew && (await wasViewerErased(tx, session))) observed.viewerId = null
    return isNew
  }
  await recorder.record(observed, { prepare, isAlone })
}
