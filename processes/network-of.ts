import ipaddr from 'ipaddr.js'

/** Bytes of an IPv6 address that name a network; a customer of a provider has at least that network. */
const IPV6_NETWORK_BYTES = 8

/** Returns the IPv4 address, or the /64 network of an IPv6 address. */
export const networkOf = (ip: string): string =>
  networksOf(ip, [IPV6_NETWORK_BYTES])[0] ?? UNKNOWN_NETWORK

/** What all texts that are no address share. */
export const UNKNOWN_NETWORK = 'unknown'

/** Returns the IPv4 address alone, or a network of an IPv6 address for each number of leading bytes. */
export function networksOf(ip: string, prefixBytes: readonly number[]): string[] {
  const parsed = parseAddress(ip)
  if (!parsed) return [UNKNOWN_NETWORK]
  const { address, prefixOf } = parsed
  return address.kind() === 'ipv4' ? [address.toString()] : prefixBytes.map(prefixOf)
}

/**
 * Parses an address; one of IPv4 in the form of IPv6 is of IPv4. `prefixOf` names the network of so many leading bytes,
 * such as `20010db8/32`. Returns null for a text that is no address.
 */
export function parseAddress(ip: string) {
  if (!ipaddr.isValid(ip)) return null
  const address = ipaddr.process(ip)
  const whole = Buffer.from(address.toByteArray())
  const prefixOf = (bytes: number): string => `${whole.toString('hex', 0, bytes)}/${bytes * 8}`
  return { address, prefixOf }
}
