import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { AddressPolicy } from './address-policy.ts'
import { startClock, type Clock } from './clock.ts'
import { untilAborted } from './deadline.ts'
import { EgressError } from './egress-error.ts'
import { createLookupQueue, type LookupQueue } from './lookup-queue.ts'
import { nodeErrorCode } from './node-error.ts'

/** The timeout and the number of tries of a query to a configured DNS server. */
const DNS_QUERY = { timeout: 1500, tries: 2 }
/**
 * How long to wait for the response of the second address family: some servers respond for one family
 * and drop the other query.
 */
const OTHER_FAMILY_WAIT_MS = 1000

/**
 * The number of concurrent system lookups: libuv's pool of four threads runs no more than two.
 * Further lookups wait in a queue. There they can be aborted, and a timeout is attributed to this
 * process (`overloaded`) and not to the host.
 */
const SYSTEM_LOOKUPS_MAX = 2

/**
 * Resolves a host name to all its addresses; each call is a lookup, without a cache. Accounts share the turns of the
 * system's lookup.
 */
export type Lookup = (
  hostname: string,
  signal: AbortSignal,
  accountId?: number,
) => Promise<string[]>

/**
 * Creates the lookup: through the given DNS servers ("address" or "address:port"), or through the
 * system, which also reads the hosts file. Throws if a server is not an address. A lookup throws an
 * EgressError `dns_error`, `overloaded` if its time ends while it waits in the queue, or the
 * signal's reason.
 */
export function createLookup(dnsServers: string[] = []): Lookup {
  // Reports an invalid server at the start, not at the first request.
  if (dnsServers.length > 0) createResolver(dnsServers)
  const queue = createLookupQueue(SYSTEM_LOOKUPS_MAX)
  return async (hostname, signal, accountId) => {
    const release = dnsServers.length > 0 ? null : await waitForTurn(queue, signal, accountId)
    if (signal.aborted) release?.()
    const addresses = await untilAborted<string[]>(signal, (resolve, reject) => {
      const { answers, cancel } =
        release === null ? queryServers(dnsServers, hostname) : querySystem(hostname, release)
      answers.then(resolve, (error: unknown) => reject(unresolved(error)))
      return cancel
    })
    if (addresses.length === 0) throw unresolved()
    return addresses
  }
}

/**
 * Returns the addresses of a host in the order in which to try them. The policy must allow all of
 * them, not only the one that is used: a private address next to a public one is a rebinding
 * attempt. Throws an EgressError `address_not_allowed` or `dns_error`, or the signal's reason.
 */
export async function resolveAllowed(
  hostname: string,
  lookupAll: Lookup,
  policy: AddressPolicy,
  signal: AbortSignal,
  accountId?: number,
): Promise<string[]> {
  const addresses = await addressesOf(hostname, lookupAll, signal, accountId)
  if (!addresses.every((address) => policy.isAllowed(address)))
    throw new EgressError('address_not_allowed', 'The host is not a public address.')
  return alternateFamilies([...new Set(addresses)])
}

async function addressesOf(
  hostname: string,
  lookupAll: Lookup,
  signal: AbortSignal,
  accountId?: number,
) {
  // A literal needs no lookup; the policy checks it like a response.
  if (isIP(hostname) !== 0) return [hostname]
  // RFC 6761, section 6.3: these names are the loopback address, even if a resolver differs.
  if (/(^|\.)localhost$/i.test(hostname)) return ['127.0.0.1']
  return await lookupAll(hostname, signal, accountId)
}

async function waitForTurn(
  queue: LookupQueue,
  signal: AbortSignal,
  accountId?: number,
): Promise<() => void> {
  try {
    return await queue.waitForTurn(signal, accountId)
  } catch (error) {
    if (error instanceof EgressError && error.code === 'aborted') throw error
    throw new EgressError('overloaded', 'Too many host names are being looked up.', error)
  }
}

/** Calls `release` when the thread is free, even if the caller has stopped waiting. */
function querySystem(hostname: string, release: () => void) {
  const answers = lookup(hostname, { all: true, order: 'verbatim' }).finally(release)
  return { answers: answers.then((all) => all.map(({ address }) => address)), cancel: () => {} }
}

function queryServers(dnsServers: string[], hostname: string) {
  // A separate resolver for each lookup, so that cancelling ends only this one.
  const resolver = createResolver(dnsServers)
  const cancel = () => resolver.cancel()
  const families = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
  let clock: Clock | undefined
  const onResponse = () => (clock ??= startClock(OTHER_FAMILY_WAIT_MS, cancel))
  for (const family of families) family.then(onResponse, () => {})
  const answers = Promise.allSettled(families)
    .finally(() => clock?.stop())
    .then(joinFamilies)
  return { answers, cancel }
}

function createResolver(dnsServers: string[]): Resolver {
  const resolver = new Resolver(DNS_QUERY)
  resolver.setServers(dnsServers)
  return resolver
}

/**
 * A host with one family responds with "no data" for the other, so only the failure of both is an error. No response for one
 * family outweighs that there are no addresses of the other.
 */
function joinFamilies(results: PromiseSettledResult<string[]>[]): string[] {
  const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason] : [],
  )
  if (addresses.length === 0 && failures.length > 0)
    throw failures.find((reason) => !isAnswer(nodeErrorCode(reason))) ?? failures[0]
  return addresses
}

/**
 * Alternates IPv4 and IPv6, IPv4 first, so that a family without a route costs only one attempt.
 */
function alternateFamilies(addresses: string[]): string[] {
  const v4 = addresses.filter((address) => isIP(address) === 4)
  const v6 = addresses.filter((address) => isIP(address) === 6)
  const longest = Math.max(v4.length, v6.length)
  return Array.from({ length: longest }, (_, n) => [v4[n], v6[n]])
    .flat()
    .filter((address) => address !== undefined)
}

/** Whether an error of a lookup is what the name servers say: that there is no such name, or no address of it. */
const isAnswer = (code: string): boolean => code === 'ENOTFOUND' || code === 'ENODATA'

function unresolved(error?: unknown): EgressError {
  const code = nodeErrorCode(error)
  const detail = code === '' ? '' : ` (${code})`
  const failure = new EgressError('dns_error', `The host name does not resolve${detail}.`, error)
  return error === undefined || isAnswer(code) ? failure : failure.withDoubt('resolver')
}
