import type { Readable } from 'node:stream'
import { createSecureContext, getCACertificates } from 'node:tls'
import { OUTBOUND_PORTS } from '../domain/limits.ts'
import { createAddressPolicy, type EgressLogger } from './address-policy.ts'
import { startDeadline, type Deadline } from './deadline.ts'
import { EgressError, toEgressError, type Timings, type Trace } from './egress-error.ts'
import type { Hop, HopResponse } from './exchange.ts'
import { followRedirect } from './redirect.ts'
import { createLookup, resolveAllowed } from './resolve.ts'
import { boundBody } from './response-body.ts'
import { sendHop, type HopContext, type OpenResponse } from './send-hop.ts'
import { hostnameOf, parseOutboundUrl } from './url-policy.ts'

const RESPONSE_DEFAULT_MAX_BYTES = 1024 * 1024
const CHECK_DEADLINE_MS = 5000

/** How the guard is set up; everything is optional, and the defaults let nothing but public https out. */
export interface EgressOptions {
  /** CIDRs that may be reached although they are not public; logged as a warning. */
  allowedNetworks?: string[]
  /** PEM certificates of authorities that are trusted beside the public ones. */
  extraCa?: string[]
  /** "address" or "address:port" of DNS servers; the system's lookup without. */
  dnsServers?: string[]
  logger?: EgressLogger
  /** For tests, whose servers listen on free ports; 443 and 8443 otherwise (spec, "Limits"). */
  ports?: readonly number[]
}

interface EgressRequest {
  url: string
  method: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** 0, the default, gives a redirect back as the answer; more follows that many. */
  maxRedirects?: number
  /** For everything: DNS, connecting, TLS, redirects, headers and the whole body. */
  deadlineMs: number
  /**
   * Bounds the first lookup, and its place in our own queue, by itself: `deadlineMs` then begins with
   * the first connection attempt.
   */
  lookupDeadlineMs?: number
  signal?: AbortSignal
  /** The body fails with `response_too_large` after so many bytes; 1 MiB by default. */
  maxResponseBytes?: number
}

export interface EgressResponse extends HopResponse {
  /** Read or destroy it; the connection is closed at the deadline at the latest. Fails with EgressErrors. */
  body: Readable
  finalUrl: string
  remoteAddress: string
  redirectCount: number
  /** Of the last hop. */
  timings: Timings
}

/** The one way out to addresses that somebody else chose (design, sections 1 and 7). */
export interface Egress {
  /** Sends one request, each hop over a fresh connection to a checked address. Throws an EgressError. */
  request(request: EgressRequest): Promise<EgressResponse>
  /** Checks syntax, port and that every address of the host is allowed; connects to nothing. Throws an EgressError. */
  checkAddress(url: string): Promise<void>
}

interface Context extends HopContext {
  ports: readonly number[]
}

/** Makes the guard. Throws an Error when an allowed network or a DNS server is not one. */
export function createEgress(options: EgressOptions = {}): Egress {
  const context: Context = {
    policy: createAddressPolicy(options.allowedNetworks, options.logger),
    lookup: createLookup(options.dnsServers),
    // Made once: reading the public authorities takes milliseconds, which every delivery would pay.
    secureContext: createSecureContext({
      ca: [...getCACertificates('default'), ...(options.extraCa ?? [])],
      minVersion: 'TLSv1.2',
    }),
    ports: options.ports ?? OUTBOUND_PORTS,
  }
  return {
    request: (request) => send(context, request),
    checkAddress: (url) => check(context, url),
  }
}

async function check(context: Context, text: string): Promise<void> {
  const url = parseOutboundUrl(text, context.ports)
  const deadline = startDeadline(CHECK_DEADLINE_MS)
  try {
    await resolveAllowed(hostnameOf(url), context.lookup, context.policy, deadline.signal)
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
    const failure = toEgressError(error)
    failure.timings = trace.timings
    if (trace.remoteAddress !== undefined) failure.remoteAddress = trace.remoteAddress
    throw failure
  }
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
    const response = await sendHop(context, hop, deadline, trace)
    const next = maxRedirects === 0 ? null : nextHop(hop, response, context.ports)
    if (next === null) {
      const body = boundBody(response.body, hop.maxResponseBytes, () => {
        response.close()
        deadline.release()
      })
      const { status, headers } = response
      const { remoteAddress = '', timings } = trace
      const finalUrl = hop.url.href
      return {
        status,
        headers,
        body,
        finalUrl,
        remoteAddress,
        redirectCount,
        timings: timings as Timings,
      }
    }
    if (redirectCount === maxRedirects)
      throw new EgressError('too_many_redirects', `There are more than ${maxRedirects} redirects.`)
    hop = next
  }
}

function firstHop(request: EgressRequest, ports: readonly number[]): Hop {
  const { headers = {}, body, maxResponseBytes = RESPONSE_DEFAULT_MAX_BYTES } = request
  const url = parseOutboundUrl(request.url, ports)
  const method = request.method.toUpperCase()
  return { url, method, headers, maxResponseBytes, ...(body !== undefined && { body }) }
}

/** The hop after a redirect, with the connection of this one closed; null when this is the last. */
function nextHop(hop: Hop, response: OpenResponse, ports: readonly number[]): Hop | null {
  let next: Hop | null = hop
  try {
    next = followRedirect(hop, response, ports)
    return next
  } finally {
    if (next !== null) response.close()
  }
}
