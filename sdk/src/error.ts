import type { ErrorCode } from './types.ts'

/** The properties of a ReelgateError. */
export interface ErrorFacts {
  type: string
  code: string
  message: string
  status?: number | undefined
  param?: string | undefined
  requestId?: string | undefined
  docUrl?: string | undefined
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

/**
 * The error of a failed call. Test `code`, which is never renamed; GET /docs/errors lists the codes
 * of the API. Without a response of the API, `status` is undefined and `type` is one of these:
 *
 * - `connection_error`, with the code `connection_failed`, `timeout`, `invalid_response` or
 *   `unexpected_redirect`
 * - `invalid_argument`, if an argument was refused before anything was sent
 * - `video_failed` or `wait_timeout`, from `waitUntilReady`
 */
export class ReelgateError extends Error {
  override readonly name = 'ReelgateError'
  readonly type: string
  readonly code: ErrorCode
  readonly status: number | undefined
  /** The field or argument that caused the error. */
  readonly param: string | undefined
  /** Identifies the request for the operator of the service. */
  readonly requestId: string | undefined
  readonly docUrl: string | undefined
  /** The delay that the service requests before a retry. */
  readonly retryAfterSeconds: number | undefined

  constructor(facts: ErrorFacts) {
    super(facts.message, 'cause' in facts ? { cause: facts.cause } : undefined)
    this.type = facts.type
    this.code = facts.code
    this.status = facts.status
    this.param = facts.param
    this.requestId = facts.requestId
    this.docUrl = facts.docUrl
    this.retryAfterSeconds = facts.retryAfterSeconds
  }

  /**
   * True if the same call may succeed later: after a lost connection, too many requests, a service
   * error, or while an earlier attempt is still in progress. The client has already retried these.
   */
  get isTransient(): boolean {
    if (this.status === undefined)
      return this.code === 'connection_failed' || this.code === 'timeout'
    return TRANSIENT_STATUSES.includes(this.status) || this.code === 'idempotency_key_in_use'
  }
}

/** Statuses that do not depend on the call itself. */
export const TRANSIENT_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504]

/** Creates the error of a response outside 2xx. `body` is its JSON, or the text of a proxy. */
export function errorFromResponse(status: number, headers: Headers, body: unknown): ReelgateError {
  const sent = errorObjectOf(body)
  return new ReelgateError({
    type: sent?.type ?? 'api_error',
    code: sent?.code ?? 'unknown_error',
    message: sent?.message ?? `The response has status ${status} and no error object.`,
    status,
    param: sent?.param,
    requestId: sent?.request_id ?? headers.get('Request-Id') ?? undefined,
    docUrl: sent?.doc_url,
    retryAfterSeconds: retryAfterSecondsOf(headers),
  })
}

/** Creates the error of an invalid argument, with the code that the API would return. */
export const invalidArgument = (param: string, problem: string): ReelgateError =>
  new ReelgateError({
    type: 'invalid_argument',
    code: 'invalid_parameter',
    message: `${param} ${problem}.`,
    param,
  })

/** Returns the text fields of the `error` object in a body, if it has one. */
export function errorObjectOf(body: unknown): Partial<Record<string, string>> | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
  const { error } = body
  if (typeof error !== 'object' || error === null) return undefined
  return Object.fromEntries(Object.entries(error).filter(([, value]) => typeof value === 'string'))
}

/**
 * Returns Retry-After in seconds from now, for a number and for a date (RFC 9110, section 10.2.3).
 */
export function retryAfterSecondsOf(headers: Headers): number | undefined {
  const value = headers.get('Retry-After')
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const dateMs = Date.parse(value)
  return Number.isNaN(dateMs) ? undefined : Math.max(0, Math.ceil((dateMs - Date.now()) / 1000))
}
