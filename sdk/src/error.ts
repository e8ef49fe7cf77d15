import type { ErrorCode } from './types.ts'

/** What a ReelgateError is made of. */
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

// Keeps the known codes in an editor's completion without refusing those of a newer server.
type AnyCode = ErrorCode | (string & {})

/**
 * Why a call did not succeed. Test `code`; it is never renamed (the API's error object: GET
 * /docs/errors). `status` is undefined where no answer came: then `type` is `connection_error`
 * (codes `connection_failed`, `timeout`, `invalid_response`, `unexpected_redirect`), `invalid_argument` (refused before
 * anything was sent), `video_failed` or `wait_timeout` (from `waitUntilReady`).
 */
export class ReelgateError extends Error {
  override readonly name = 'ReelgateError'
  readonly type: string
  readonly code: AnyCode
  readonly status: number | undefined
  /** The field that the error is about. */
  readonly param: string | undefined
  /** Tells the operator which request it was. */
  readonly requestId: string | undefined
  readonly docUrl: string | undefined
  /** How long the service asks to be left alone. */
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
   * Whether the same call may succeed later: no answer, too many calls, trouble in the service, or an
   * earlier try that is still at work. The client has tried these again already.
   */
  get isTransient(): boolean {
    if (this.status === undefined)
      return this.code === 'connection_failed' || this.code === 'timeout'
    return TRANSIENT_STATUSES.includes(this.status) || this.code === 'idempotency_key_in_use'
  }
}

/** Answers that say nothing of the call itself. */
export const TRANSIENT_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504]

/** The error that an answer outside 2xx tells of; `body` is its JSON, or text that a proxy sent. */
export function errorOfAnswer(status: number, headers: Headers, body: unknown): ReelgateError {
  const sent = errorObjectOf(body)
  return new ReelgateError({
    type: sent?.type ?? 'api_error',
    code: sent?.code ?? 'unknown_error',
    message: sent?.message ?? `The answer has status ${status} and no error object.`,
    status,
    param: sent?.param,
    requestId: sent?.request_id ?? headers.get('Request-Id') ?? undefined,
    docUrl: sent?.doc_url,
    retryAfterSeconds: retryAfterSecondsOf(headers),
  })
}

/** An argument that cannot be used: the code and the field, as the API itself would answer. */
export const invalidArgument = (param: string, problem: string): ReelgateError =>
  new ReelgateError({
    type: 'invalid_argument',
    code: 'invalid_parameter',
    message: `${param} ${problem}.`,
    param,
  })

/** The `error` of an answer's body, if it has one. */
export function errorObjectOf(body: unknown): Partial<Record<string, string>> | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
  const { error } = body
  if (typeof error !== 'object' || error === null) return undefined
  return Object.fromEntries(Object.entries(error).filter(([, value]) => typeof value === 'string'))
}

/** Retry-After in seconds from now, whether it is sent as a number or as a date (RFC 9110, 10.2.3). */
export function retryAfterSecondsOf(headers: Headers): number | undefined {
  const value = headers.get('Retry-After')
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const dateMs = Date.parse(value)
  return Number.isNaN(dateMs) ? undefined : Math.max(0, Math.ceil((dateMs - Date.now()) / 1000))
}
