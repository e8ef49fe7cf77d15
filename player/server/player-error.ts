import { isDatabaseAway } from '../../db/errors.ts'

/** A refusal that a script reads, as `{"error":{"code","message"}}`; people get pages. */
export class PlayerError extends Error {
  override name = 'PlayerError'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Sent with every 503. */
export const RETRY_LATER = { 'Retry-After': '5' }

/** Returns the error that a script gets; an unexpected one is `internal_error`. */
export function asPlayerError(error: unknown): PlayerError {
  if (error instanceof PlayerError) return error
  return isDatabaseAway(error)
    ? new PlayerError(503, 'service_unavailable', 'Try again in a moment.')
    : new PlayerError(500, 'internal_error', 'Something went wrong here.')
}
