import type { Request } from 'express'
import { z } from 'zod'
import {
  PLAYBACK_REPORT_EARLY_MS,
  PLAYBACK_REPORT_LATE_MS,
  PLAYBACK_REPORT_LIMITS,
} from '../../../domain/limits.ts'
import { deviceWords } from '../../../domain/playback-reports/device-words.ts'
import { decodeFailureCode } from '../../../domain/playback-reports/failure-code.ts'
import { PLAYER_CAUSES } from '../../../domain/playback-reports/playback-causes.ts'
import type { ServerContext } from '../deps.ts'
import { createRateLimit } from '../limits/rate-limit.ts'
import { PlayerError } from '../player-error.ts'
import type { SessionResponse } from '../session.ts'

const CODE_LENGTH = 14
const WEEK_SECONDS = 7 * 86_400

/** What a player may say. Nothing else is kept of a body, and no text of the player's choice. */
const failureBody = z.strictObject({
  code: z.string().length(CODE_LENGTH),
  cause: z.enum(PLAYER_CAUSES),
  details: z
    .strictObject({
      /** Of Shaka Player. */
      error_code: z.int().min(0).max(99_999).optional(),
      http_status: z.int().min(100).max(599).optional(),
      position_seconds: z.int().min(0).max(WEEK_SECONDS).optional(),
      is_online: z.boolean().optional(),
    })
    .default({}),
})

/**
 * POST /sessions/failures: keeps why the player of a session shows a message, with the code that it has made itself. The
 * code must be one of this cause and of this hour. Responds 204 also when there is no room for the report.
 */
export function playerFailureHandler({
  reports,
  limits,
}: Pick<ServerContext, 'reports' | 'limits'>): (
  request: Request,
  response: SessionResponse,
) => void {
  const sessions = createRateLimit(PLAYBACK_REPORT_LIMITS.session)
  return (request, response) => {
    const { code, cause, details } = readFailure(request.body)
    const { session } = response.locals
    const { sessionId, accountId, videoId, viewerId, isMember, refererHost } = session
    const nowMs = performance.now()
    if (sessions.waitMs(sessionId, nowMs) === 0) {
      sessions.spend(sessionId, nowMs)
      const viewer = isMember === true ? null : viewerId
      const networks = viewer === null ? limits.networksOf(request) : null
      const device = deviceWords(request.get('User-Agent') ?? '')
      const of = { code, accountId, cause, videoId, session }
      reports.note({ ...of, viewerId: viewer, host: refererHost, ...device, details }, networks)
    }
    response.status(204).end()
  }
}

/** Throws 400 `invalid_failure`. */
function readFailure(body: unknown): z.infer<typeof failureBody> {
  const failure = failureBody.safeParse(body)
  const known = failure.success ? decodeFailureCode(failure.data.code) : null
  const agoMs = Date.now() - (known?.atMs ?? 0)
  if (
    !failure.success ||
    known?.code !== failure.data.code ||
    known.cause !== failure.data.cause ||
    agoMs > PLAYBACK_REPORT_LATE_MS ||
    agoMs < -PLAYBACK_REPORT_EARLY_MS
  )
    throw new PlayerError(400, 'invalid_failure', 'The body does not describe a failure of now.')
  return failure.data
}
