import type { SOURCE_FAILURES } from '../domain/videos/video-failures.ts'
import { EgressError, isOwnFault, type EgressErrorCode } from './egress-error.ts'

/** The contract's codes for unusable source links (contract, "Errors"). */
export type SourceErrorCode = keyof typeof SOURCE_FAILURES

/** An unusable source link. The message is a sentence for the integrator, without the URL. */
export class SourceError extends Error {
  override name = 'SourceError'
  readonly code: SourceErrorCode

  constructor(code: SourceErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
  }
}

const CODES: Partial<Record<EgressErrorCode, SourceErrorCode>> = {
  invalid_url: 'invalid_source_url',
  address_not_allowed: 'source_not_allowed',
  too_many_redirects: 'too_many_redirects',
  response_too_large: 'source_too_large',
}

/**
 * Converts a failure of the egress guard, or of a response body, to the codes of the contract.
 * Returns `aborted`, `overloaded` and `network_away` unchanged, because they are not faults of the link, and also all
 * other errors.
 */
export function toSourceError(error: unknown): unknown {
  if (!(error instanceof EgressError) || error.code === 'aborted' || isOwnFault(error)) return error
  return new SourceError(CODES[error.code] ?? 'source_unreachable', error.message, error)
}
