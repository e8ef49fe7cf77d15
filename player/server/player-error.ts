import { isDatabaseUnavailable } from '../../db/errors.ts'
import type { PlaybackCause } from '../../domain/playback-reports/playback-causes.ts'

/** An error response for scripts, as `{"error":{"code","message"}}`. People get pages instead. */
export class PlayerError extends Error {
  override name = 'PlayerError'
  readonly status: number
  readonly code: string
  /** Why it does not play, if that is more precise than the code. */
  readonly failure: PlaybackCause | undefined

  constructor(status: number, code: string, message: string, failure?: PlaybackCause) {
    super(message)
    this.status = status
    this.code = code
    this.failure = failure
  }
}

/** The body of an error response; `more` are further fields of the error. */
export const errorBody = ({ code, message }: PlayerError, more: object = {}): object => ({
  error: { code, message, ...more },
})

/** The body of the response to a request that does not reach the app. */
export const unreadableBody = (message: string): object =>
  errorBody(new PlayerError(400, 'invalid_request', message))

/** Header of every 503 response, and of a 429 response whose limit names no time. */
export const RETRY_LATER = { 'Retry-After': '5' }

/** Converts any error to the one that a script gets; an unexpected error becomes `internal_error`. */
export function asPlayerError(error: unknown): PlayerError {
  if (error instanceof PlayerError) return error
  const status = clientErrorStatus(error)
  if (status !== null)
    return new PlayerError(status, 'invalid_request', 'The request could not be read.')
  return isDatabaseUnavailable(error)
    ? new PlayerError(503, 'service_unavailable', 'Try again in a moment.')
    : new PlayerError(500, 'internal_error', 'Something went wrong here.')
}

/** Returns the 4xx status that Express or its body parser put on an error, or null. */
export function clientErrorStatus(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('status' in error)) return null
  const { status } = error
  return typeof status === 'number' && status >= 400 && status < 500 ? status : null
}
