import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { AddressPolicy } from './address-policy.ts'
import { untilAborted } from './deadline.ts'
import { EgressError, nodeErrorCode } from './egress-error.ts'
import { createPlaces, type Places } from './lookup-places.ts'

/** How long one question to an own DNS server may take, and how often it is put. */
const DNS_QUERY = { timeout: 1500, tries: 2 }
/** Some servers answer for one family and drop the other; this is how long the answer waits for the other. */
const OTHER_FAMILY_WAIT_MS = 1000

/**
 * Lookups of the system that run at once: libuv's pool of four threads runs no more than two. The others
 * wait here, where their time is known to be ours and where they can still give up.
 */
const SYSTEM_LOOKUPS_MAX = 2

/** Turns a host name into every address it has; one lookup a call, nothing is cached. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<string[]>

/**
 * Makes the lookup: through own DNS servers ("address" or "address:port"), else the system's, which also
 * reads the hosts file. Throws when a server is not an address; a lookup throws an EgressError `dns_error`,
 * `overloaded` where its time was over before its turn came, or the signal's reason.
 */
export function createLookup(dnsServers: string[] = []): Lookup {
  // A server that is not one is told at start, not at the first request.
  if (dnsServers.length > 0) createResolver(dnsServers)
  const places = createPlaces(SYSTEM_LOOKUPS_MAX)
  return async (hostname, signal) => {
    const giveBack = dnsServers.length > 0 ? null : await takePlace(places, signal)
    if (signal.aborted) giveBack?.()
    const addresses = await untilAborted<string[]>(signal, (resolve, reject) => {
      const { answers, cancel } =
        giveBack === null ? ask(dnsServers, hostname) : askSystem(hostname, giveBack)
      answers.then(resolve, (error: unknown) => reject(unresolved(error)))
      return cancel
    })
    if (addresses.length === 0) throw unresolved()
    return addresses
  }
}

/**
 * Gives the addresses that a host may be connected to, in the order to try them. Every answer must pass the
 * policy, not just the one that is used: a public address beside a private one is a rebinding attempt.
 * Throws an EgressError `address_not_allowed` or `dns_error`, or the signal's reason.
 */
export async function resolveAllowed(
  hostname: string,
  lookupAll: Lookup,
  policy: AddressPolicy,
  signal: AbortSignal,
): Promise<string[]> {
  const addresses = await addressesOf(hostname, lookupAll, signal)
  if (!addresses.every((address) => policy.isAllowed(address)))
    throw new EgressError('address_not_allowed', 'The host is not a public address.')
  return alternateFamilies([...new Set(addresses)])
}

async function addressesOf(hostname: string, lookupAll: Lookup, signal: AbortSignal) {
  // Nothing is looked up for a literal, so that it is judged like any answer.
  if (isIP(hostname) !== 0) return [hostname]
  // RFC 6761, section 6.3: these names are the loopback, whatever a resolver says.
  if (/(^|\.)localhost$/i.test(hostname)) return ['127.0.0.1']
  return await lookupAll(hostname, signal)
}

async function takePlace(places: Places, signal: AbortSignal): Promise<() => void> {
  try {
    return await places.take(signal)
  } catch (error) {
    if (error instanceof EgressError && error.code === 'aborted') throw error
    throw new EgressError('overloaded', 'Too many host names are being looked up.', error)
  }
}

/** The place is given back when the thread is free, even if the caller has stopped waiting. */
function askSystem(hostname: string, giveBack: () => void) {
  const answers = lookup(hostname, { all: true, order: 'verbatim' }).finally(giveBack)
  return { answers: answers.then((all) => all.map(({ address }) => address)), cancel: () => {} }
}

function ask(dnsServers: string[], hostname: string) {
  // One for each lookup, so that cancelling ends this one alone.
  const resolver = createResolver(dnsServers)
  const cancel = () => resolver.cancel()
  const families = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
  let timer: NodeJS.Timeout | undefined
  const onAnswer = () => (timer ??= setTimeout(cancel, OTHER_FAMILY_WAIT_MS))
  for (const family of families) family.then(onAnswer, () => {})
  const answers = Promise.allSettled(families)
    .finally(() => clearTimeout(timer))
    .then(joinFamilies)
  return { answers, cancel }
}

function createResolver(dnsServers: string[]): Resolver {
  const resolver = new Resolver(DNS_QUERY)
  resolver.setServers(dnsServers)
  return resolver
}

/** A host with one family answers "no data" for the other, so only a failure of both is one. */
function joinFamilies(results: PromiseSettledResult<string[]>[]): string[] {
  const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  const failed = results.find((result) => result.status === 'rejected')
  if (addresses.length === 0 && failed) throw failed.reason
  return addresses
}

/** IPv4 first, then one of each in turn: a family that this machine cannot route costs one attempt. */
function alternateFamilies(addresses: string[]): string[] {
  const v4 = addresses.filter((address) => isIP(address) === 4)
  const v6 = addresses.filter((address) => isIP(address) === 6)
  const longest = Math.max(v4.length, v6.length)
  return Array.from({ length: longest }, (_, n) => [v4[n], v6[n]])
    .flat()
    .filter((address) => address !== undefined)
}

function unresolved(error?: unknown): EgressError {
  const code = nodeErrorCode(error)
  const detail = code === '' ? '' : ` (${code})`
  return new EgressError('dns_error', `The host name does not resolve${detail}.`, error)
}
