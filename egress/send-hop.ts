import type { SecureContext } from 'node:tls'
import type { AddressPolicy } from './address-policy.ts'
import { connectToAddress, secure } from './connect.ts'
import type { Deadline } from './deadline.ts'
import type { Timings, Trace } from './egress-error.ts'
import { exchange, type Hop } from './exchange.ts'
import { resolveAllowed, type Lookup } from './resolve.ts'
import { hostnameOf, portOf } from './url-policy.ts'

/** What every hop of one guard has in common. */
export interface HopContext {
  policy: AddressPolicy
  lookup: Lookup
  secureContext: SecureContext
}

/** An answer whose connection is still open. */
export type OpenResponse = Awaited<ReturnType<typeof exchange>>

/**
 * Resolves, connects, secures and sends one hop, and writes down in `trace` how far it got. Nothing is shared
 * with another hop: one lookup, one connection, one request. Throws an EgressError.
 */
export async function sendHop(
  context: HopContext,
  { url, ...rest }: Hop,
  deadline: Deadline,
  trace: Trace,
): Promise<OpenResponse> {
  const lap = startLaps(trace)
  const hostname = hostnameOf(url)
  const { policy, lookup, secureContext } = context
  const addresses = await resolveAllowed(hostname, lookup, policy, deadline.signal)
  lap('dnsMs')
  deadline.begin()
  const target = { addresses, hostname, port: portOf(url) }
  const socket = await connectToAddress(target, deadline, trace)
  lap('connectMs')
  const tls = await secure(socket, hostname, secureContext, deadline.signal)
  lap('tlsMs')
  const response = await exchange(tls, { url, ...rest }, deadline.signal)
  lap('firstByteMs')
  return response
}

/** Each call writes down how long it is since the one before; what an earlier hop left is cleared. */
function startLaps(trace: Trace): (phase: keyof Timings) => void {
  trace.timings = {}
  delete trace.remoteAddress
  let lastMs = performance.now()
  return (phase) => {
    const nowMs = performance.now()
    trace.timings[phase] = nowMs - lastMs
    lastMs = nowMs
  }
}
