/** What went wrong with an outbound request; the codes are distinct enough to show to a receiver. */
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
  /** Nothing was sent: this process had no room for it in time. */
  | 'overloaded'
  | 'aborted'

/** How long each phase of one hop took, in milliseconds; `firstByteMs` counts from the end of TLS. */
export interface Timings {
  dnsMs: number
  connectMs: number
  tlsMs: number
  firstByteMs: number
}

/** What is known about a hop so far; filled in while it runs, so that a failure can tell how far it got. */
export interface Trace {
  timings: Partial<Timings>
  remoteAddress?: string
}

/**
 * The one error that the egress guard throws, and that a response body fails with. The message is fit for
 * the person who chose the address: it holds neither the URL nor an address that DNS answered with.
 */
export class EgressError extends Error {
  override name = 'EgressError'
  readonly code: EgressErrorCode
  /** The phases that the last hop completed. */
  timings: Partial<Timings> = {}
  /** The address that the last hop was connected to, where it got so far. */
  remoteAddress?: string

  constructor(code: EgressErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
  }
}

/** The `code` of an error from Node or undici; these are not always `instanceof Error` across realms. */
export function nodeErrorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : ''
}

/** Turns any failure after the handshake into an EgressError; one that already is stays as it is. */
export function toEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error
  const code = nodeErrorCode(error)
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW')
    return new EgressError(
      'headers_too_large',
      'The server sent more than 16 KiB of headers.',
      error,
    )
  // undici has one code for a connection that broke and for an answer that it was not asked for.
  if (code === 'UND_ERR_SOCKET' && (error as Error).message.startsWith('bad '))
    return new EgressError('protocol_error', 'The server sent an answer out of turn.', error)
  if (/TIMEOUT$|^ETIMEDOUT$/.test(code))
    return new EgressError('timeout', 'The server stopped answering.', error)
  if (
    /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|HPE_INVALID_EOF_STATE|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/.test(
      code,
    )
  )
    return new EgressError('connection_reset', 'The server closed the connection too early.', error)
  if (/SSL|TLS/.test(code)) return new EgressError('tls_error', 'The TLS connection failed.', error)
  return new EgressError('protocol_error', 'The server did not answer with valid HTTP.', error)
}
