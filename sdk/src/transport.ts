import ky, { isHTTPError, isNetworkError, isTimeoutError } from 'ky'
import {
  errorFromResponse,
  errorObjectOf,
  ReelgateError,
  retryAfterSecondsOf,
  TRANSIENT_STATUSES,
} from './error.ts'

/** Limits for the attempts of a call. */
export interface TransportOptions {
  /** Retries after the first attempt. */
  maxRetries: number
  /** Limit for one attempt, including its whole response. */
  timeoutMs: number
  /** Limit for all attempts and the delays between them. */
  totalTimeoutMs: number
  fetch: (request: Request) => Promise<Response>
}

/** With these, a proxy may have lost the response of the API. */
const UNCERTAIN_STATUSES = [408, 500, 502, 504]

const afterLostResponse = new WeakSet<Error>()

/** True for the error of a call whose earlier attempt may have done its work, because its response was lost. */
export const isAfterLostResponse = (error: Error): boolean => afterLostResponse.has(error)

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 8000
// All methods: a POST has an Idempotency-Key, as has a call with If-Match, and the API's other PATCH
// and DELETE can be repeated.
const RETRIED_METHODS = ['get', 'post', 'patch', 'delete'] as const

const CONFLICT_STATUS = 409
const RETRIED_STATUSES = [...TRANSIENT_STATUSES, CONFLICT_STATUS]

/**
 * Creates a fetch that retries after a network failure, a timeout, 408, 429, 500, 502, 503 and 504,
 * and after 409 idempotency_key_in_use (an earlier attempt is still in progress). The delay is
 * Retry-After, or else exponential with jitter. Redirects are not followed. Throws a ReelgateError
 * for a response outside 2xx and for the last failure, or the signal's reason after an abort.
 */
export function createTransport(
  options: TransportOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const startedAtMs = Date.now()
    const leftMs = (): number => options.totalTimeoutMs - (Date.now() - startedAtMs)
    let hasLostResponse = false
    try {
      return await ky(request, {
        async fetch(input) {
          const attempt = input instanceof Request ? input : new Request(input)
          const response = await fetchWhole(options.fetch, attempt).catch((error: unknown) => {
            hasLostResponse = true
            throw error
          })
          if (UNCERTAIN_STATUSES.includes(response.status)) hasLostResponse = true
          return response
        },
        timeout: options.timeoutMs,
        totalTimeout: options.totalTimeoutMs,
        retry: {
          limit: options.maxRetries,
          methods: [...RETRIED_METHODS],
          statusCodes: RETRIED_STATUSES,
          afterStatusCodes: RETRIED_STATUSES,
          retryOnTimeout: true,
          delay: delayMs,
          jitter: (ms) => ms / 2 + (Math.random() * ms) / 2,
          shouldRetry: ({ error, retryCount }) => shouldRetry(error, retryCount, leftMs()),
        },
      })
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason
      const thrown = asReelgateError(error)
      if (hasLostResponse && thrown instanceof ReelgateError) afterLostResponse.add(thrown)
      throw thrown
    }
  }
}

const delayMs = (retryCount: number): number =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (retryCount - 1))

/** Returns false for what is not retried; undefined leaves the decision to the lists of methods and statuses. */
function shouldRetry(error: Error, retryCount: number, leftMs: number): false | undefined {
  if (error instanceof ReelgateError) return false
  const response = isHTTPError(error) ? error.response : undefined
  const requestedSeconds = response && retryAfterSecondsOf(response.headers)
  // A longer wait than the remaining time would only hide the failure behind a timeout.
  const waitMs = requestedSeconds === undefined ? delayMs(retryCount) : requestedSeconds * 1000
  if (waitMs >= leftMs) return false
  const isConflict = isHTTPError(error) && error.response.status === CONFLICT_STATUS
  return isConflict && errorObjectOf(error.data)?.code !== 'idempotency_key_in_use'
    ? false
    : undefined
}

/**
 * Reads the body within the attempt, so that an incomplete response is retried like a missing one.
 */
async function fetchWhole(fetch: TransportOptions['fetch'], request: Request): Promise<Response> {
  const response = await fetch(request)
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
    throw new ReelgateError({
      type: 'connection_error',
      code: 'unexpected_redirect',
      message:
        'The response is a redirect, which is not followed: is baseUrl the address of the API?',
    })
  const body = await response.arrayBuffer()
  const { status, statusText, headers } = response
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers })
}

/** Ky's errors contain the request with the API key, so they never become a `cause`. */
function asReelgateError(error: unknown): unknown {
  if (isHTTPError(error))
    return errorFromResponse(error.response.status, error.response.headers, error.data)
  const type = 'connection_error'
  if (isTimeoutError(error))
    return new ReelgateError({ type, code: 'timeout', message: 'No response came in time.' })
  if (isNetworkError(error)) {
    const message = 'The service could not be reached.'
    return new ReelgateError({ type, code: 'connection_failed', message, cause: error.cause })
  }
  return error
}
