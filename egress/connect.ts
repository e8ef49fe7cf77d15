import { connect as connectTcp, isIP, type Socket } from 'node:net'
import {
  connect as connectTls,
  type ConnectionOptions,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import ipaddr from 'ipaddr.js'
import { startClock } from './clock.ts'
import { untilAborted, type Deadline } from './deadline.ts'
import { EgressError, type Trace } from './egress-error.ts'
import { asksForCertificate, tlsCauseOf } from './failure-cause.ts'
import { nodeErrorCode } from './node-error.ts'

/** Limits the number of addresses that are tried, and with it the time spent on unreachable ones. */
const ATTEMPTS_MAX = 4
const ATTEMPT_MAX_MS = 5000

/** The checked addresses in order, and the name that the certificate must contain. */
export interface Target {
  addresses: string[]
  hostname: string
  port: number
}

/**
 * Opens a TCP connection to the first checked address that accepts one. The address is a literal, so
 * there is no second lookup. The peer of the socket is compared with it before a byte is sent.
 * Throws an EgressError connection_refused, connection_reset or timeout, or the deadline's reason.
 */
export async function connectToAddress(
  target: Target,
  deadline: Deadline,
  trace: Trace,
): Promise<Socket> {
  const failures: EgressError[] = []
  const candidates = target.addresses.slice(0, ATTEMPTS_MAX)
  for (const [index, address] of candidates.entries()) {
    const left = candidates.length - index
    // The last address gets all remaining time.
    const limitMs = left === 1 ? null : Math.min(ATTEMPT_MAX_MS, deadline.remainingMs() / left)
    trace.remoteAddress = address
    try {
      return verifyPeer(await openTcp(address, target.port, limitMs, deadline.signal), address)
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason
      failures.push(connectError(error))
    }
  }
  throw failures.find(({ doubt }) => doubt === undefined) ?? failures[0] ?? connectError(null)
}

/**
 * Performs the TLS handshake on a connected socket. The certificate must be valid for `hostname`.
 * Destroys the socket on failure. Throws an EgressError tls_error or connection_reset, or the
 * deadline's reason.
 */
export async function secure(
  socket: Socket,
  hostname: string,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const options: ConnectionOptions = {
    socket,
    host: hostname,
    secureContext,
    ALPNProtocols: ['http/1.1'],
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.
    rejectUnauthorized: true,
  }
  if (isIP(hostname) === 0) options.servername = hostname
  const tls = connectTls(options)
  // Without a permanent listener, a later error would end the process.
  tls.on('error', () => {})
  try {
    return await untilAborted<TLSSocket>(signal, (resolve, reject) => {
      tls
        .once('secureConnect', () => resolve(tls))
        .once('error', (error) => reject(tlsError(error, asksForCertificate(tls))))
      return () => {}
    })
  } catch (error) {
    tls.destroy()
    socket.destroy()
    throw error
  }
}

/** If `limitMs` is null, only the signal limits the time. */
async function openTcp(host: string, port: number, limitMs: number | null, signal: AbortSignal) {
  const socket = connectTcp({ host, port, autoSelectFamily: false, noDelay: true })
  socket.on('error', () => {})
  try {
    return await untilAborted<Socket>(signal, (resolve, reject) => {
      const clock = limitMs === null ? null : startClock(limitMs, () => reject(slow()))
      socket.once('connect', () => resolve(socket)).once('error', reject)
      return () => clock?.stop()
    })
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function verifyPeer(socket: Socket, address: string): Socket {
  if (normal(socket.remoteAddress ?? '') === normal(address)) return socket
  socket.destroy()
  throw new EgressError('address_not_allowed', 'The connection led to another address.')
}

function normal(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.parse(address).toNormalizedString() : ''
}

function slow(): EgressError {
  const message = 'The host did not accept a connection in time.'
  return new EgressError('timeout', message).withDoubt('route')
}

/** No route to the address, or none for its family. */
const NO_ROUTE = /^(ENETUNREACH|ENETDOWN|EHOSTUNREACH|EHOSTDOWN|EADDRNOTAVAIL|EAFNOSUPPORT)$/
/** This process or machine has no room for another connection. */
const NO_ROOM = /^(EMFILE|ENFILE|ENOBUFS|ENOMEM)$/

function connectError(error: unknown): EgressError {
  if (error instanceof EgressError) return error
  const code = nodeErrorCode(error)
  if (code === 'ETIMEDOUT') return slow()
  if (code === 'ECONNRESET')
    return new EgressError('connection_reset', 'The host reset the connection.', error)
  if (NO_ROOM.test(code))
    return new EgressError('overloaded', 'This process has too many connections.', error)
  const refused = 'The host does not accept connections.'
  const failure = new EgressError('connection_refused', refused, error)
  return NO_ROUTE.test(code) ? failure.withDoubt('route') : failure
}

function tlsError(error: unknown, isCertificateAsked: boolean): EgressError {
  const code = nodeErrorCode(error)
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return EgressError.because('connection_reset', 'tls_handshake_closed', error)
  const known = tlsCauseOf(error)
  const cause =
    isCertificateAsked && known === 'tls_handshake_refused' ? 'client_certificate_required' : known
  if (cause) return EgressError.because('tls_error', cause, error, detailOf(code))
  const detail = code === '' ? '' : ` (${code})`
  return new EgressError('tls_error', `The TLS connection failed${detail}.`, error)
}

/** `UNSPECIFIED` says nothing. */
const detailOf = (code: string): string => (code === 'UNSPECIFIED' ? '' : code)
