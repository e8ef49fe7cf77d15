import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import type { DeliveryErrorCode } from '../../domain/webhooks/webhook-delivery.ts'
import { asksForCertificate, httpCauseOf, tlsCauseOf } from '../../egress/failure-cause.ts'
import { readSystemError } from '../../processes/system-error.ts'
import type { Limits, ReceiverResponse } from './check.ts'
import type { Delivery } from './kit.ts'

/** Larger responses are reported at this size. */
const READ_MAX_BYTES = 1024 * 1024

/**
 * Sends one delivery to the URL without the egress guard, because the operator chose the address. Uses a
 * new connection and follows no redirect. Never rejects: errors are part of the result. The time limit
 * starts when the body has been sent.
 */
export async function send(
  url: URL,
  delivery: Delivery,
  limits: Limits,
): Promise<ReceiverResponse> {
  const bytes = Buffer.from(delivery.body)
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: delivery.method,
    headers: {
      ...delivery.headers,
      ...(delivery.method === 'POST' && { 'Content-Length': bytes.length }),
      'Accept-Encoding': 'identity',
      Connection: 'close',
    },
    agent: false,
    // As a delivery.
    ...(url.protocol === 'https:' && { ALPNProtocols: ['http/1.1'] }),
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.
    rejectUnauthorized: true,
  })
  const responded = responseOf(request)
  await write(request, bytes, delivery.pieces ?? 1, limits)
  const sentAtMs = performance.now()
  const timer = setTimeout(() => request.destroy(TIMEOUT), limits.timeoutMs)
  try {
    const { status, bodyBytes, location } = await responded
    const durationMs = performance.now() - sentAtMs
    const got = { what: delivery.what, durationMs, bodyBytes, location }
    return { ...got, status, errorCode: null, cause: null, detail: '' }
  } catch (error) {
    const durationMs = performance.now() - sentAtMs
    const none = { what: delivery.what, durationMs, bodyBytes: 0, location: null, status: null }
    return { ...none, ...reasonOf(error) }
  } finally {
    clearTimeout(timer)
    request.destroy()
  }
}

const TIMEOUT = Object.assign(new Error('No response in time.'), { code: 'ETIMEDOUT' })

async function write(
  request: ClientRequest,
  bytes: Buffer,
  pieces: number,
  { pieceWaitMs }: Limits,
): Promise<void> {
  const size = Math.ceil(bytes.length / pieces)
  for (let piece = 0; size > 0 && piece < pieces; piece += 1) {
    if (piece > 0) await sleep(pieceWaitMs)
    if (request.destroyed) return
    request.write(bytes.subarray(piece * size, (piece + 1) * size))
  }
  request.end()
}

function responseOf(request: ClientRequest) {
  const { promise, resolve, reject } = Promise.withResolvers<
    Pick<ReceiverResponse, 'bodyBytes' | 'location'> & { status: number }
  >()
  let isCertificateAsked = false
  request.on('socket', (socket) => {
    socket.once('secureConnect', () => {
      isCertificateAsked = socket instanceof TLSSocket && asksForCertificate(socket)
    })
  })
  request.on('error', (error) => reject(isCertificateAsked ? new CertificateAsked(error) : error))
  request.on('response', (response: IncomingMessage) => {
    const { statusCode: status = 0, headers } = response
    let bodyBytes = 0
    // A connection that breaks after the status line still counts as a response, but a timeout does not.
    const done = () =>
      request.errored === TIMEOUT
        ? reject(TIMEOUT)
        : resolve({ status, bodyBytes, location: placeOf(headers.location) })
    response
      .on('data', (chunk: Buffer) => {
        bodyBytes += chunk.length
        if (bodyBytes > READ_MAX_BYTES) done()
      })
      .on('error', () => {})
      .on('close', done)
  })
  // Prevents an unhandled rejection while the body is still being sent.
  promise.catch(() => {})
  return promise
}

/** Removes the query, which may contain a token for a login page. */
const placeOf = (location: string | undefined): string | null =>
  location === undefined ? null : (location.split(/[?#]/, 1)[0] ?? '').slice(0, 200)

/**
 * A connection that ended without a response after the receiver had asked for a client certificate, in TLS 1.3. Before, it
 * refuses the handshake.
 */
class CertificateAsked extends Error {
  override name = 'CertificateAsked'

  constructor(cause: Error) {
    super(cause.message, { cause })
  }
}

function reasonOf(error: unknown): Pick<ReceiverResponse, 'cause' | 'detail'> & {
  errorCode: DeliveryErrorCode
} {
  const isAsked = error instanceof CertificateAsked
  const failure = isAsked ? error.cause : error
  const { code, syscall } = readSystemError(failure)
  const errorCode = classOf(failure, code, syscall)
  const isRefused = isAsked && (errorCode === 'connection_reset' || errorCode === 'tls_error')
  const known = tlsCauseOf(failure) ?? httpCauseOf(failure)
  return { errorCode, cause: isRefused ? 'client_certificate_required' : known, detail: code }
}

function classOf(error: unknown, code: string, syscall: string): DeliveryErrorCode {
  if (code === 'ETIMEDOUT') return 'timeout'
  if (syscall === 'getaddrinfo') return 'dns_error'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'connection_reset'
  if (tlsCauseOf(error) !== null || /CERT|SSL|TLS|EPROTO/.test(code)) return 'tls_error'
  return httpCauseOf(error) === null ? 'connection_refused' : 'protocol_error'
}
