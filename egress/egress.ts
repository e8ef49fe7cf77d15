import type { Readable } from 'node:stream'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { OUTBOUND_PORTS } from '../domain/limits.ts'
import { createAddressPolicy, type EgressLogger } from './address-policy.ts'
import { startDeadline, type Deadline } from './deadline.ts'
import { EgressError, toEgressError, type Doubt, type Timings, type Trace } from './egress-error.ts'
import type { Hop, HopResponse, Method } from './exchange.ts'
import { createNetworkControl } from './network-control.ts'
import { followRedirect } from './redirect.ts'
import { createLookup, resolveAllowed } from './resolve.ts'
import { limitBody } from './response-limits.ts'
import { sendHop, type HopContext, type OpenResponse } from './send-hop.ts'
import { hostnameOf, parseOutboundUrl } from './url-policy.ts'

const RESPONSE_DEFAULT_MAX_BYTES = 1024 * 1024
const CHECK_DEADLINE_MS = 5000

/** Options of the guard. By default it allows only https to public addresses. */
export interface EgressOptions {
  /** CIDRs that are allowed although they are not public; logged as a warning. */
  allowedNetworks?: string[]
  /** PEM certificates of authorities that are trusted in addition to the public ones. */
  extraCa?: string[]
  /** DNS servers as "address" or "address:port"; by default the system's lookup is used. */
  dnsServers?: string[]
  /** Names of hosts that show whether the network of this installation works; by default hosts that were reached lately. */
  controlHosts?: string[]
  logger?: EgressLogger
  /**
   * For tests, whose servers listen on free ports; 443 and 8443 by default (contract, "Limits").
   */
  ports?: readonly number[]
}

interface EgressRequest {
  url: string
  /** Whether this service has signed the address, which is longer then. */
  isSigned?: boolean
  method: Method
  headers?: Record<string, string>
  body?: string | Buffer
  /**
   * The number of redirects to follow; with 0, the default, a redirect is returned as the response.
   */
  maxRedirects?: number
  /** Limit for everything: DNS, connecting, TLS, redirects, headers and the whole body. */
  deadlineMs: number
  /** True to learn of a failure at once, without the control of this installation's network. */
  isUrgent?: boolean
  /** The account that chose the address: accounts share the lookups. */
  accountId?: number
  /**
   * Separate limit for the first lookup and its wait in the lookup queue. `deadlineMs` then starts
   * with the first connection attempt.
   */
  lookupDeadlineMs?: number
  signal?: AbortSignal
  /** The body fails with `response_too_large` after this size; 1 MiB by default. */
  maxResponseBytes?: number
}

export interface EgressResponse extends HopResponse {
  /** Read or destroy it; the deadline closes the connection. Fails with EgressErrors. */
  body: Readable
  finalUrl: string
  remoteAddress: string
  redirectCount: number
  /** The durations of the phases of the last hop. */
  timings: Timings
}

/** The only way to send requests to addresses that integrators or their servers chose. */
export interface Egress {
  /**
   * Sends a request, each hop over a new connection to a checked address. Throws an EgressError, of code
   * `network_away` or `overloaded` if nothing was sent because of a fault of this installation.
   */
  request(request: EgressRequest): Promise<EgressResponse>
  /**
   * Checks the syntax, the port and every address of the host. Opens no connection. Throws an
   * EgressError.
   */
  checkAddress(url: string, accountId?: number): Promise<void>
  /** Whether this installation reaches no host at the moment; for a connection that broke off. */
  isNetworkAway(url: string): Promise<boolean>
}

interface Context extends HopContext {
  ports: readonly number[]
}

/** Creates the guard. Throws an Error if an allowed network or a DNS server is invalid. */
export function createEgress(options: EgressOptions = {}): Egress {
  const lookup = createLookup(options.dnsServers)
  const context: Context = {
    policy: createAddressPolicy(options.allowedNetworks, options.logger),
    lookup,
    control: createNetworkControl(lookup, options.controlHosts ?? []),
    secureContext: trust(options.extraCa ?? []),
    ports: options.ports ?? OUTBOUND_PORTS,
  }
  return {
    request: (request) => send(context, request),
    checkAddress: (url, accountId) => check(context, url, accountId),
    isNetworkAway: (url) => context.control.isAway('route', new URL(url).hostname),
  }
}

/**
 * Returns what trusts the public authorities and these. It is created once, because with authorities of its own it reads
 * all the public ones again: 30 ms, too long for each delivery.
 */
const trust = (extraCa: readonly string[]): SecureContext =>
  createSecureContext({
    ...(extraCa.length > 0 && { ca: [...getCACertificates('default'), ...extraCa] }),
    minVersion: 'TLSv1.2',
  })

async function check(context: Context, text: string, accountId?: number): Promise<void> {
  const url = parseOutboundUrl(text, context.ports)
  const deadline = startDeadline(CHECK_DEADLINE_MS)
  const { lookup, policy } = context
  const trace: Trace = { timings: {}, hostname: hostnameOf(url) }
  try {
    await resolveAllowed(hostnameOf(url), lookup, policy, deadline.signal, accountId)
  } catch (error) {
    throw await judged(context, toEgressError(error), trace)
  } finally {
    deadline.release()
  }
}

async function send(context: Context, request: EgressRequest): Promise<EgressResponse> {
  const { deadlineMs, signal, lookupDeadlineMs } = request
  const deadline = startDeadline(deadlineMs, signal, lookupDeadlineMs)
  const trace: Trace = { timings: {} }
  try {
    return await followHops(context, request, deadline, trace)
  } catch (error) {
    deadline.release()
    const failed = toEgressError(error)
    const failure = request.isUrgent ? failed : await judged(context, failed, trace)
    failure.timings = trace.timings
    if (trace.remoteAddress !== undefined) failure.remoteAddress = trace.remoteAddress
    throw failure
  }
}

/** Returns `network_away` in place of a failure that this installation's network has caused. */
async function judged(context: Context, failure: EgressError, trace: Trace): Promise<EgressError> {
  const doubt = doubtOf(failure, trace)
  if (doubt === null || !(await context.control.isAway(doubt, trace.hostname ?? ''))) return failure
  return new EgressError('network_away', 'Nothing responds in the network at the moment.', failure)
}

/** A deadline that ends before the request is sent may be a fault of the network too. */
function doubtOf({ code, doubt }: EgressError, { timings }: Trace): Doubt | null {
  if (doubt !== undefined) return doubt
  if (code !== 'timeout' || timings.tlsMs !== undefined) return null
  return timings.dnsMs === undefined ? 'resolver' : 'route'
}

async function followHops(
  context: Context,
  request: EgressRequest,
  deadline: Deadline,
  trace: Trace,
): Promise<EgressResponse> {
  const maxRedirects = request.maxRedirects ?? 0
  let hop = firstHop(request, context.ports)
  for (let redirectCount = 0; ; redirectCount += 1) {
    const response = await sendHop(context, hop, deadline, trace, request.accountId)
    const next = maxRedirects === 0 ? null : nextHop(hop, response, context.ports)
    if (next === null) {
      const body = limitBody(response.body, hop.maxResponseBytes, () => {
        response.close()
        deadline.release()
      })
      const { status, headers, timings } = response
      const { remoteAddress = '' } = trace
      const finalUrl = hop.url.href
      return { status, headers, body, finalUrl, remoteAddress, redirectCount, timings }
    }
    if (redirectCount === maxRedirects)
      throw new EgressError('too_many_redirects', `There are more than ${maxRedirects} redirects.`)
    hop = next
  }
}

function firstHop(request: EgressRequest, ports: readonly number[]): Hop {
  const { method, headers = {}, maxResponseBytes = RESPONSE_DEFAULT_MAX_BYTES } = request
  const url = parseOutboundUrl(request.url, ports, request.isSigned)
  const hop: Hop = { url, method, headers, maxResponseBytes }
  if (request.body !== undefined) hop.body = request.body
  return hop
}

/** Returns the next hop and closes the current connection; returns null if this hop is the last. */
function nextHop(hop: Hop, response: OpenResponse, ports: readonly number[]): Hop | null {
  let next: Hop | null = hop
  try {
    next = followRedirect(hop, response, ports)
    return next
  } finally {
    if (next !== null) response.close()
  }
}
