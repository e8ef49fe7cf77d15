import { ERRORS } from '../domain/error-codes.ts'
import type { ErrorCode } from '../domain/error-codes.ts'

export interface ApiErrorDetails {
  /** The field that the error is about. */
  param?: string
  /** More precise than the registry's. */
  message?: string
  /** Where a code has two: `folder_not_found` is 400 for a body, 404 for a path. */
  status?: number
  /** Sent along, such as Allow. */
  headers?: Record<string, string>
}

/** An answer that is not a success; the error handler turns it into the contract's error body. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly param: string | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    super(details.message ?? ERRORS[code].message)
    this.code = code
    this.status = details.status ?? ERRORS[code].status
    this.param = details.param
    this.headers = details.headers ?? {}
  }
}

const RETRY_AFTER_SECONDS = 5

/** PostgreSQL does not answer; the same request may succeed in a moment. */
export const serviceUnavailable = (): ApiError =>
  new ApiError('service_unavailable', { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } })
