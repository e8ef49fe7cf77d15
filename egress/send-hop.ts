import type { SecureContext } from 'node:tls'
import type { AddressPolicy } from './address-policy.ts'
import { connectToAddress, secure } from './connect.ts'
import type { Deadline } from './deadline.ts'
import type { Timings, Trace } from './egress-error.ts'
import { exchange, type Hop, type HopResponse } from './exchange.ts'
import type { NetworkControl } from './network-control.ts'
import { resolveAllowed, type Lookup } from './resolve.ts'
import { hostnameOf, portOf } from './url-policy.ts'

/** Shared by all hops of a guard. */
export interface HopContext {
  policy: AddressPolicy
  lookup: Lookup
  secureContext: SecureContext
  control: NetworkControl
}

/** A response whose connection is still open. */
export interface OpenResponse extends HopResponse {
  timings: Timings
  close: () => void
}

/**
 * Sends one hop: lookup, connection, TLS and request, none of them shared with another hop. Records
 * the progress in `trace`. Throws an EgressError.
 */
export async function sendHop(
  context: HopContext,
  { url, ...rest }: Hop,
  deadline: Deadline,
  trace: Trace,
  accountId?: number,
): Promise<OpenResponse> {
  const lap = startLaps(trace)
  const hostname = hostnameOf(url)
  trace.hostname = hostname
  const { policy, lookup, secureContext } = context
  const addresses = await resolveAllowed(hostname, lookup, policy, deadline.signal, accountId)
  const dnsMs = lap('dnsMs')
  deadline.begin()
  const target = { addresses, hostname, port: portOf(url) }
  const socket = await connectToAddress(target, deadline, trace)
  const connectMs = lap('connectMs')
  const { remoteAddress: address = '' } = trace
  context.control.connected({ hostname, address, port: target.port })
  const tls = await secure(socket, hostname, secureContext, deadline.signal)
  const tlsMs = lap('tlsMs')
  const response = await exchange(tls, { url, ...rest }, deadline.signal)
  const firstByteMs = lap('firstByteMs')
  return { ...response, timings: { dnsMs, connectMs, tlsMs, firstByteMs } }
}

/**
 * Clears the trace. Each call of the result records and returns the time since the previous call.
 */
function startLaps(trace: Trace): (phase: keyof Timings) => number {
  trace.timings = {}
  delete trace.remoteAddress
  let lastMs = performance.now()
  return (phase) => {
    const nowMs = performance.now()
    const durationMs = nowMs - lastMs
    trace.timings[phase] = durationMs
    lastMs = nowMs
    return durationMs
  }
}
