import { isIP, connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { untilAborted, type Deadline } from './deadline.ts'
import { EgressError, nodeErrorCode, type Trace } from './egress-error.ts'

/** More answers than these are not tried: a name with hundreds of dead ones must not keep us busy. */
const ATTEMPTS_MAX = 4
const ATTEMPT_MAX_MS = 5000

/** Where to connect: checked addresses, in order, and the name that the certificate must carry. */
export interface Target {
  addresses: string[]
  hostname: string
  port: number
}

/**
 * Opens TCP to the first of the checked addresses that answers. The address is a literal, so nothing is
 * looked up again, and what the socket is connected to is compared with it before a byte is sent.
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
    // The last one has all the time that is left: it is the host's only chance to answer.
    const limitMs = left === 1 ? null : Math.min(ATTEMPT_MAX_MS, deadline.remainingMs() / left)
    trace.remoteAddress = address
    try {
      return verifyPeer(await openTcp(address, target.port, limitMs, deadline.signal), address)
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason
      failures.push(connectError(error))
    }
  }
  throw failures.find((failure) => !isNoRoute(failure.cause)) ?? failures[0] ?? connectError(null)
}

/**
 * Does the TLS handshake over a connected socket; the certificate must be valid for `hostname`.
 * Destroys the socket when it fails. Throws an EgressError tls_error or connection_reset, or the deadline's reason.
 */
export async function secure(
  socket: Socket,
  hostname: string,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const options = { socket, host: hostname, secureContext, ALPNProtocols: ['http/1.1'] }
  // rejectUnauthorized is written out so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
  const tls = connectTls({
    ...options,
    rejectUnauthorized: true,
    ...(isIP(hostname) === 0 && { servername: hostname }),
  })
  // Without a listener that stays, an error after the hand-over would end the process.
  tls.on('error', () => {})
  try {
    return await untilAborted<TLSSocket>(signal, (resolve, reject) => {
      tls
        .once('secureConnect', () => resolve(tls))
        .once('error', (error) => reject(tlsError(error)))
      return () => {}
    })
  } catch (error) {
    tls.destroy()
    socket.destroy()
    throw error
  }
}

/** Without a limit the signal alone ends it. */
async function openTcp(host: string, port: number, limitMs: number | null, signal: AbortSignal) {
  const socket = connectTcp({ host, port, autoSelectFamily: false, noDelay: true })
  socket.on('error', () => {})
  try {
    return await untilAborted<Socket>(signal, (resolve, reject) => {
      const timer = limitMs === null ? undefined : setTimeout(() => reject(slow()), limitMs)
      socket.once('connect', () => resolve(socket)).once('error', reject)
      return () => clearTimeout(timer)
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
  return new EgressError('timeout', 'The host did not accept a connection in time.')
}

function isNoRoute(error: unknown): boolean {
  return /^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|EAFNOSUPPORT)$/.test(nodeErrorCode(error))
}

function connectError(error: unknown): EgressError {
  if (error instanceof EgressError) return error
  const code = nodeErrorCode(error)
  if (code === 'ETIMEDOUT') return slow()
  if (code === 'ECONNRESET')
    return new EgressError('connection_reset', 'The host reset the connection.', error)
  return new EgressError('connection_refused', 'The host does not accept connections.', error)
}

function tlsError(error: unknown): EgressError {
  const code = nodeErrorCode(error)
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return new EgressError('connection_reset', 'The connection ended during TLS.', error)
  const detail = code === '' ? '' : ` (${code})`
  return new EgressError('tls_error', `The TLS connection failed${detail}.`, error)
}
