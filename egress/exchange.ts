import type { Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { Client, type buildConnector, type Dispatcher } from 'undici'
import { untilAborted } from './deadline.ts'
import { EgressError, nodeErrorCode, toEgressError } from './egress-error.ts'
import { limitWire } from './wire-limit.ts'

const HEADERS_MAX_BYTES = 16 * 1024
/** A body may pause this long; the request's own deadline bounds it in total. */
const BODY_IDLE_MAX_MS = 60_000

/** One request to one address; redirects are somebody else's business. */
export interface Hop {
  url: URL
  method: string
  headers: Record<string, string>
  body?: string | Buffer
  /** What may be read of the answer's body; more is cut off, here or by who reads it. */
  maxResponseBytes: number
}

/** What a server answered; a header that came more than once is a list. */
export interface HopResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Readable
}

/**
 * Sends one request over a connected socket and gives the answer once its headers are there. `close` ends
 * the connection, which serves nothing else, and must be called once the body is no longer wanted.
 * Throws an EgressError or the signal's reason, with the connection closed.
 */
export async function exchange(
  socket: TLSSocket,
  hop: Hop,
  signal: AbortSignal,
): Promise<HopResponse & { close: () => void }> {
  const limit = limitWire(socket)
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
    throw signal.aborted ? signal.reason : noAnswerError(error)
  }
}

/** Without headers there is no body that could be too short: it is how undici calls contradictory lengths. */
function noAnswerError(error: unknown): EgressError {
  if (nodeErrorCode(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return new EgressError('protocol_error', 'The server contradicts itself on the length.', error)
  return toEgressError(error)
}

/** undici heeds the signal from the first byte on; until then (no connection yet) it is ours to heed. */
function requestOf(
  client: Client,
  hop: Hop,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const request = client.request({
    path: hop.url.pathname + hop.url.search,
    method: hop.method as 'GET',
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

/** A connector that gives the checked socket once; undici may not reconnect behind our back. */
function handOver(socket: TLSSocket): buildConnector.connector {
  let given = false
  return (_options, callback) => {
    const isUsable = !given && !socket.destroyed
    given = true
    // Later, not now: undici ignores a connection that is there before its connector has returned.
    queueMicrotask(() => {
      if (isUsable) callback(null, socket)
      else
        callback(Object.assign(new Error('The connection is gone.'), { code: 'ECONNRESET' }), null)
    })
  }
}
