import type { Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { Client, type buildConnector, type Dispatcher } from 'undici'
import { untilAborted } from './deadline.ts'
import { EgressError, toEgressError } from './egress-error.ts'
import { asksForCertificate } from './failure-cause.ts'
import { skipInterimResponses } from './interim-responses.ts'
import { nodeErrorCode } from './node-error.ts'
import { limitWire } from './response-limits.ts'

const HEADERS_MAX_BYTES = 16 * 1024
/** The longest pause within a body; the deadline of the request limits the total. */
const BODY_IDLE_MAX_MS = 60_000

/** The methods that the guard sends. */
export type Method = 'GET' | 'HEAD' | 'POST'

/** One request to one address, without redirects. */
export interface Hop {
  url: URL
  method: Method
  headers: Record<string, string>
  body?: string | Buffer
  /**
   * The largest allowed body. `exchange` limits the bytes on the wire, `limitBody` the body itself.
   */
  maxResponseBytes: number
}

/** The response of a server. A header that was sent more than once is a list. */
export interface HopResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Readable
}

/**
 * Sends a request over a connected socket and resolves when the headers of the response have arrived.
 * Call `close` when the body is no longer needed; it ends the connection, which is not reused.
 * Throws an EgressError or the signal's reason, and closes the connection.
 */
export async function exchange(
  socket: TLSSocket,
  hop: Hop,
  signal: AbortSignal,
): Promise<HopResponse & { close: () => void }> {
  const limit = limitWire(socket)
  skipInterimResponses(socket)
  // Read now: a closed socket does not know it.
  const isCertificateAsked = asksForCertificate(socket)
  const client = new Client(hop.url.origin, {
    connect: handOver(socket),
    allowH2: false,
    maxHeaderSize: HEADERS_MAX_BYTES,
    headersTimeout: 0,
    bodyTimeout: BODY_IDLE_MAX_MS,
  })
  const close = () => {
    void client.destroy()
    socket.destroy()
  }
  try {
    const response = await requestOf(client, hop, signal)
    limit.expectBody(hop.maxResponseBytes)
    return { status: response.statusCode, headers: response.headers, body: response.body, close }
  } catch (error) {
    close()
    throw signal.aborted ? signal.reason : noResponseError(error, isCertificateAsked)
  }
}

/**
 * undici also reports contradictory length headers as a length mismatch. In TLS 1.3, a server that requires a client
 * certificate refuses only after the handshake.
 */
function noResponseError(error: unknown, isCertificateAsked: boolean): EgressError {
  if (nodeErrorCode(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return EgressError.because('protocol_error', 'http_length_ambiguous', error)
  const failure = toEgressError(error)
  // Either the end of the connection is seen first, or the alert before it.
  const isRefused = failure.code === 'connection_reset' || failure.code === 'tls_error'
  return isCertificateAsked && isRefused
    ? EgressError.because('connection_reset', 'client_certificate_required', error)
    : failure
}

/** Rejects when the signal aborts before the first byte; undici observes it only after that. */
function requestOf(
  client: Client,
  hop: Hop,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const request = client.request({
    path: hop.url.pathname + hop.url.search,
    method: hop.method,
    headers: { ...hop.headers, 'accept-encoding': 'identity' },
    body: hop.body ?? null,
    signal,
    reset: true,
  })
  return untilAborted(signal, (resolve, reject) => {
    request.then(resolve, reject)
    return () => {}
  })
}

/** Returns a connector that provides the checked socket once, so that undici cannot reconnect. */
function handOver(socket: TLSSocket): buildConnector.connector {
  let given = false
  return (_options, callback) => {
    const isUsable = !given && !socket.destroyed
    given = true
    // Deferred, because undici ignores a connection that exists before its connector has returned.
    queueMicrotask(() => {
      if (isUsable) callback(null, socket)
      else
        callback(Object.assign(new Error('The connection is gone.'), { code: 'ECONNRESET' }), null)
    })
  }
}
