import { z } from 'zod'
import type { Refusal } from '../commands/refusal.ts'
import { ERRORS, type ErrorCode, type ErrorEntry } from '../domain/error-codes.ts'
import { openEnum } from '../views/values.ts'

export interface ApiErrorDetails {
  /** The field that the error is about. */
  param?: string | undefined
  /** More precise than the message of the registry. */
  message?: string
  /** The id of what already has a value that must be unique. */
  holder?: string | undefined
  /** For a code with two statuses: `folder_not_found` is 400 for a body, 404 for a path. */
  status?: number
  /** Sent with the response, such as Allow. */
  headers?: Record<string, string>
  /** What is there now, for a client that starts from something older. Only the dashboard sends it. */
  current?: object
}

/** A response that is not a success; the error handler turns it into the contract's error body. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly param: string | undefined
  readonly holder: string | undefined
  readonly headers: Record<string, string>
  readonly current: object | undefined

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    super(details.message ?? ERRORS[code].message)
    this.code = code
    this.status = details.status ?? ERRORS[code].status
    this.param = details.param
    this.holder = details.holder
    this.headers = details.headers ?? {}
    this.current = details.current
  }
}

const RETRY_AFTER_SECONDS = 5

/** PostgreSQL or the network does not respond; the same request may succeed in a moment. */
export const serviceUnavailable = (): ApiError =>
  new ApiError('service_unavailable', { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } })

/** The row of a query; throws an ApiError with `code` when there is none. */
export function orNotFound<Row>(row: Row | null, code: ErrorCode): Row {
  if (row === null) throw new ApiError(code)
  return row
}

/** Converts the refusal of a command. A refusal that names a field gets the status for a body, if the code has two. */
export function refusalResponse({ code, field, message, holder }: Refusal): ApiError {
  const { status, bodyStatus = status }: ErrorEntry = ERRORS[code]
  return new ApiError(code, {
    param: field,
    message,
    holder,
    status: field === undefined ? status : bodyStatus,
  })
}

const errorType = z
  .enum([
    'authentication_error',
    'invalid_request_error',
    'conflict_error',
    'rate_limit_error',
    'api_error',
  ])
  .meta({ id: 'ErrorType' })

/** The error body (contract, "Errors") of a server that sends `codes`. */
export const errorSchemaOf = (codes: readonly ErrorCode[]) =>
  z
    .strictObject({
      error: z
        .strictObject({
          type: errorType,
          code: openEnum(codes, 'Stable identifier of the error, for programs.').meta({
            id: 'ErrorCode',
          }),
          message: z.string().meta({ description: 'Explanation for people; it may change.' }),
          param: z.string().optional().meta({ description: 'The field that the error is about.' }),
          holder_id: z.string().optional().meta({
            description: 'With `external_id_taken`: the id of the video that has the external id.',
          }),
          request_id: z.string().meta({ description: 'Also in the Request-Id header.' }),
          doc_url: z.url().meta({ description: 'Where the code is explained.' }),
        })
        .meta({ id: 'ErrorDetails' }),
    })
    .meta({ id: 'Error' })

type ErrorBody = z.output<ReturnType<typeof errorSchemaOf>>

/** The error body of a response. `apiBase` has no slash at its end. */
export const errorBody = (
  { code, message, param, holder, current }: ApiError,
  requestId: string,
  apiBase: string,
): ErrorBody & { current: object | undefined } => ({
  error: {
    type: ERRORS[code].type,
    code,
    message,
    // JSON omits an undefined field, here and below.
    param,
    holder_id: holder,
    request_id: requestId,
    doc_url: `${apiBase}/docs/errors#${code}`,
  },
  current,
})

/** Returns the error body of a request that does not reach the app. */
export const unreadableBody =
  (apiBase: string) =>
  (message: string, requestId: string): object =>
    errorBody(new ApiError('invalid_request', { message }), requestId, apiBase)
