import { causeText, type FailureCause } from '../domain/failure-causes.ts'
import { httpCauseOf, tlsCauseOf } from './failure-cause.ts'
import { nodeErrorCode, nodeErrorMessage } from './node-error.ts'

/** The failures of an outbound request. The owner of a webhook endpoint sees these codes. */
export type EgressErrorCode =
  | 'invalid_url'
  | 'address_not_allowed'
  | 'dns_error'
  | 'connection_refused'
  | 'connection_reset'
  | 'tls_error'
  | 'timeout'
  | 'too_many_redirects'
  | 'headers_too_large'
  | 'response_too_large'
  | 'protocol_error'
  /** Nothing was sent, because this process had no free slot in time. */
  | 'overloaded'
  /** Nothing was sent, because this installation reaches no other name or host either (`network-control.ts`). */
  | 'network_away'
  | 'aborted'

/** The duration of each phase of a hop in milliseconds; `firstByteMs` starts at the end of TLS. */
export interface Timings {
  dnsMs: number
  connectMs: number
  tlsMs: number
  firstByteMs: number
}

/** What of this installation's network may have caused a failure, instead of the host: its resolver, or its routes. */
export type Doubt = 'resolver' | 'route'

/** The progress of the current hop, filled in while it runs, so that an error can report it. */
export interface Trace {
  hostname?: string
  timings: Partial<Timings>
  remoteAddress?: string
}

/**
 * The only error that the egress guard and its response bodies throw. The message can be shown to
 * the integrator who chose the address: it contains neither the URL nor an address from DNS.
 */
export class EgressError extends Error {
  override name = 'EgressError'
  readonly code: EgressErrorCode
  /** The completed phases of the last hop. */
  timings: Partial<Timings> = {}
  /** The address to which the last hop connected, if it got that far. */
  remoteAddress?: string
  /** What is wrong with the host, if that is known more precisely than by the code. */
  failureCause?: FailureCause
  /** Set if this installation's network may have caused the failure. */
  doubt?: Doubt

  constructor(code: EgressErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
  }

  /** Creates an error whose message names this cause and its remedy. */
  static because(
    code: EgressErrorCode,
    failureCause: FailureCause,
    cause?: unknown,
    detail = '',
  ): EgressError {
    const error = new EgressError(code, causeText(failureCause, detail), cause)
    error.failureCause = failureCause
    return error
  }

  withDoubt(doubt: Doubt): this {
    this.doubt = doubt
    return this
  }
}

/** Whether an error is a fault of this installation, so neither a link nor an endpoint failed. */
export const isOwnFault = (error: unknown): boolean =>
  error instanceof EgressError && (error.code === 'overloaded' || error.code === 'network_away')

/** Converts a failure after the handshake to an EgressError; returns EgressErrors unchanged. */
export function toEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error
  const code = nodeErrorCode(error)
  // undici uses one code for a broken connection and for an unrequested response.
  if (code === 'UND_ERR_SOCKET' && nodeErrorMessage(error).startsWith('bad '))
    return new EgressError(
      'protocol_error',
      'The server sent a response that was not requested.',
      error,
    )
  if (/TIMEOUT$|^ETIMEDOUT$/.test(code))
    return new EgressError('timeout', 'The server stopped responding.', error)
  if (
    /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|HPE_INVALID_EOF_STATE|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/.test(
      code,
    )
  )
    return new EgressError('connection_reset', 'The server closed the connection too early.', error)
  const tlsCause = tlsCauseOf(error)
  if (tlsCause) return EgressError.because('tls_error', tlsCause, error, code)
  if (/SSL|TLS/.test(code))
    return new EgressError('tls_error', `The TLS connection failed (${code}).`, error)
  const httpCause = httpCauseOf(error) ?? 'http_invalid'
  const isLarge = httpCause === 'http_headers_too_large'
  return EgressError.because(isLarge ? 'headers_too_large' : 'protocol_error', httpCause, error)
}
