import type { Request } from 'express'
import { parseAddress, UNKNOWN_NETWORK } from '../../../processes/network-of.ts'
import { setNewest } from './rate-limit.ts'

/** The two networks of a client whose requests are counted together. */
export interface ClientNetworks {
  /** An IPv4 address, or the /64 network of an IPv6 address, which one customer of a provider has. */
  narrow: string
  /** Its /24 network, or the /48 network of an IPv6 address: what one organisation has. */
  wide: string
}

/** The bytes of an address that name each network. */
const BYTES = { ipv4: { narrow: 4, wide: 3 }, ipv6: { narrow: 8, wide: 6 } } as const

/** Networks by address. Parsing one costs more than a look-up, and a flood comes from few. */
const known = new Map<string, ClientNetworks>()
const KNOWN_MAX = 10_000

/** Returns the networks of an address; all texts that are no address share one. */
export function networksOf(ip: string): ClientNetworks {
  const networks = known.get(ip) ?? parseNetworks(ip)
  setNewest(known, ip, networks, KNOWN_MAX)
  return networks
}

function parseNetworks(ip: string): ClientNetworks {
  const parsed = parseAddress(ip)
  if (!parsed) return { narrow: UNKNOWN_NETWORK, wide: UNKNOWN_NETWORK }
  const { narrow, wide } = BYTES[parsed.address.kind()]
  return { narrow: parsed.prefixOf(narrow), wide: parsed.prefixOf(wide) }
}

/** Addresses at which only a proxy of the installation, or a program beside it, can be. */
const INTERNAL = ['private', 'loopback', 'uniqueLocal', 'linkLocal']

/**
 * Returns the networks of a client, by its address behind the trusted proxies. Returns null if the request comes from a
 * proxy of the installation that is not trusted: all clients would be counted as one.
 */
export function clientNetworksOf(request: Request, trustedProxies: number): ClientNetworks | null {
  const ip = request.ip ?? ''
  const isForwarded = trustedProxies === 0 && request.headers['x-forwarded-for'] !== undefined
  return isForwarded && isInternal(ip) ? null : networksOf(ip)
}

function isInternal(ip: string): boolean {
  const range = parseAddress(ip)?.address.range()
  return range !== undefined && INTERNAL.includes(range)
}
