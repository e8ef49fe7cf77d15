import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/** A logger, such as pino's, that receives the warning about allowed networks. */
export interface EgressLogger {
  warn(fields: object, message: string): void
}

/** Decides which addresses may be connected to. */
export interface AddressPolicy {
  /**
   * True for globally routable unicast addresses, and for those in the operator's allowed networks.
   */
  isAllowed(address: string): boolean
}

/**
 * Refused although ipaddr.js classifies it as "unicast": the address of Azure's host services. The
 * metadata addresses of other clouds are link-local, shared or unique-local, and refused as such.
 */
const REFUSED_IPV4 = [ipaddr.parseCIDR('168.63.129.16/32')]

/**
 * The only block that IANA has allocated for global unicast. It excludes `::/96`, NAT64 and
 * `4000::`.
 */
const GLOBAL_UNICAST_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Blocks inside 2000::/3 that are not public hosts (IANA special-purpose registry). */
const REFUSED_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, AMT, ORCHID, drone ids
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which contains an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // the former 6bone
  '3fff::/20', // documentation
].map((cidr) => ipaddr.parseCIDR(cidr))

/** An ISATAP interface id (RFC 5214, section 6.1) contains an IPv4 address after any prefix. */
const ISATAP_GROUPS: readonly number[] = [0x5efe, 0x0200_5efe]

/**
 * Creates the address policy. `allowedNetworks` are CIDRs that are allowed although they are not
 * public; a warning is logged once. Throws an Error that names an entry that is not a CIDR.
 */
export function createAddressPolicy(
  allowedNetworks: string[] = [],
  logger?: EgressLogger,
): AddressPolicy {
  const exceptions = allowedNetworks.map(parseNetwork)
  if (exceptions.length > 0)
    logger?.warn(
      { allowedNetworks },
      'EGRESS EXCEPTIONS ARE IN FORCE: links and webhooks may reach these networks although they are not public',
    )
  return {
    isAllowed(text) {
      const address = parseAddress(text)
      if (address === null) return false
      return isPublic(address) || exceptions.some((network) => isIn(address, network))
    },
  }
}

function parseNetwork(cidr: string): Network {
  if (!ipaddr.isValidCIDR(cidr))
    throw new Error(`An allowed network must be a CIDR such as 10.0.0.0/8, not "${cidr}"`)
  return ipaddr.parseCIDR(cidr)
}

/**
 * Accepts only canonical forms, because the input is a canonical host or the response of a resolver.
 */
function parseAddress(text: string): Address | null {
  if (isIP(text) === 0 || text.includes('%')) return null
  return ipaddr.parse(text)
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  if (address.kind() === 'ipv4') return !REFUSED_IPV4.some((network) => isIn(address, network))
  return (
    isIn(address, GLOBAL_UNICAST_IPV6) &&
    !REFUSED_IPV6.some((network) => isIn(address, network)) &&
    !isIsatap(address)
  )
}

function isIsatap(address: Address): boolean {
  const bytes = address.toByteArray()
  return ISATAP_GROUPS.includes(Buffer.from(bytes).readUInt32BE(8))
}

/**
 * An IPv4 network never matches a mapped IPv6 address, so an exception allows only what it names.
 */
function isIn(address: Address, network: Network): boolean {
  return address.kind() === network[0].kind() && address.match(network)
}
