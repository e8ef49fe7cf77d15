import type { Request } from 'express'
import { isPlayable } from '../../../domain/videos/video-state.ts'
import type { ServerContext } from '../deps.ts'
import { sessionEnded, type SessionResponse } from '../session.ts'
import { isSoon, preparationOf } from './preparation.ts'

/**
 * Returns what plays of the session's video, and when to ask again. Viewers who wait read it instead of sending
 * heartbeats: it reads the database twice a second at most for all of them, and writes nothing but where they are, together.
 */
export const preparationHandler =
  ({ growingVideos, playheads, viewerPace }: ServerContext) =>
  async (request: Request, response: SessionResponse): Promise<void> => {
    const { videoId } = response.locals.session
    const positionMs = readPlace(request.query.at)
    const video = await growingVideos.find(videoId)
    if (!video) throw sessionEnded('video_deleted')
    const { status, renditions } = video
    if (status === 'failed') throw sessionEnded('video_failed')
    playheads.note(videoId, video, positionMs)
    const nowMs = performance.now()
    response.set('Cache-Control', 'no-store').json({
      renditions,
      is_complete: status === 'ready',
      // After the last read it is the time of the next heartbeat.
      next_in_seconds: isPlayable(status)
        ? viewerPace.heartbeat({ status, isWaiting: false }, nowMs)
        : viewerPace.read({ isSoon: isSoon(video, positionMs) }, nowMs),
      preparation: isPlayable(status) ? null : preparationOf(video, positionMs),
    })
  }

/** A place that is no number of seconds is the beginning. */
function readPlace(at: unknown): number {
  const seconds = typeof at === 'string' ? Number(at) : NaN
  return seconds >= 0 && seconds < Infinity ? seconds * 1000 : 0
}
