import ipaddr from 'ipaddr.js'

/** Bytes of an IPv6 address that name a network; a customer of a provider has at least that network. */
const IPV6_NETWORK_BYTES = 8

/** Returns the IPv4 address, or the /64 network of an IPv6 address. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  const network = Buffer.from(address.toByteArray().slice(0, IPV6_NETWORK_BYTES))
  return `${network.toString('hex')}/64`
}
