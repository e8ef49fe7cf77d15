import ky, { isHTTPError, isNetworkError, isTimeoutError } from 'ky'
import {
  ReelgateError,
  TRANSIENT_STATUSES,
  errorObjectOf,
  errorOfAnswer,
  retryAfterSecondsOf,
} from './error.ts'

/** How long and how often a call is tried. */
export interface TransportOptions {
  /** Tries after the first one. */
  maxRetries: number
  /** One try, its whole answer included. */
  timeoutMs: number
  /** All tries and the waits between them. */
  totalTimeoutMs: number
  fetch: (request: Request) => Promise<Response>
}

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 8000
// Every method: a POST carries an Idempotency-Key, and the API's PATCH and DELETE can be repeated.
const RETRIED_METHODS = ['get', 'post', 'patch', 'delete'] as const

/**
 * A fetch that tries again after a network failure, a timeout, 408, 429, 500, 502, 503 and 504, and
 * after 409 idempotency_key_in_use (an earlier try is still at work). It waits for Retry-After where
 * there is one, else exponentially with jitter. No redirect is followed. An answer outside 2xx and a last failure are thrown
 * as ReelgateError, an abort as the signal's reason.
 */
export function createTransport(
  options: TransportOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const startedAtMs = Date.now()
    const leftMs = (): number => options.totalTimeoutMs - (Date.now() - startedAtMs)
    try {
      return await ky(request, {
        fetch: (input) => fetchWhole(options.fetch, input as Request),
        timeout: options.timeoutMs,
        totalTimeout: options.totalTimeoutMs,
        retry: {
          limit: options.maxRetries,
          methods: [...RETRIED_METHODS],
          statusCodes: [...TRANSIENT_STATUSES],
          afterStatusCodes: [...TRANSIENT_STATUSES],
          retryOnTimeout: true,
          delay: delayMs,
          jitter: (ms) => ms / 2 + (Math.random() * ms) / 2,
          shouldRetry: ({ error, retryCount }) => judge(error, retryCount, leftMs()),
        },
      })
    } catch (error) {
      throw request.signal.aborted ? request.signal.reason : asReelgateError(error)
    }
  }
}

const delayMs = (retryCount: number): number =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (retryCount - 1))

/** False ends the tries, true makes another, undefined leaves it to the lists above. */
function judge(error: Error, retryCount: number, leftMs: number): boolean | undefined {
  if (error instanceof ReelgateError) return false
  const answer = isHTTPError(error) ? error.response : undefined
  const asked = answer && retryAfterSecondsOf(answer.headers)
  // Waiting in vain would only hide the failure behind a timeout.
  if ((asked === undefined ? delayMs(retryCount) : asked * 1000) >= leftMs) return false
  if (isHTTPError(error) && error.response.status === 409)
    return errorObjectOf(error.data)?.code === 'idempotency_key_in_use'
  return undefined
}

/** Reads the body inside the try: an answer that breaks off is tried again like one that never came. */
async function fetchWhole(fetch: TransportOptions['fetch'], request: Request): Promise<Response> {
  const response = await fetch(request)
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
    throw new ReelgateError({
      type: 'connection_error',
      code: 'unexpected_redirect',
      message:
        'The answer is a redirect, which is not followed: is baseUrl the address of the API?',
    })
  const body = await response.arrayBuffer()
  const { status, statusText, headers } = response
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers })
}

/** Ky's own errors hold the request, and with it the API key: they never become a `cause`. */
function asReelgateError(error: unknown): unknown {
  if (isHTTPError(error))
    return errorOfAnswer(error.response.status, error.response.headers, error.data)
  const type = 'connection_error'
  if (isTimeoutError(error))
    return new ReelgateError({ type, code: 'timeout', message: 'No answer came in time.' })
  if (isNetworkError(error)) {
    const message = 'The service could not be reached.'
    return new ReelgateError({ type, code: 'connection_failed', message, cause: error.cause })
  }
  return error
}
