import ipaddr from 'ipaddr.js'

/** Bytes of an IPv6 address that name a network; a customer of a provider has at least that network. */
const IPV6_NETWORK_BYTES = 8

/** Returns the IPv4 address, or the /64 network of an IPv6 address. */
export const networkOf = (ip: string): string => networksOf(ip, [IPV6_NETWORK_BYTES])[0] ?? UNKNOWN

const UNKNOWN = 'unknown'

/** Returns the IPv4 address alone, or a network of an IPv6 address for each number of leading bytes. */
export function networksOf(ip: string, prefixBytes: readonly number[]): string[] {
  if (!ipaddr.isValid(ip)) return [UNKNOWN]
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return [address.toString()]
  const whole = Buffer.from(address.toByteArray())
  return prefixBytes.map((bytes) => `${whole.subarray(0, bytes).toString('hex')}/${bytes * 8}`)
}
