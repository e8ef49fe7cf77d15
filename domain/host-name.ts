/**
 * Normalises a host name for comparison: lowercase, punycode, without port and trailing dot. Accepts a
 * host, a host with a port, or a web address. Returns null for any other text.
 */
export function normaliseHost(text: string): string | null {
  const trimmed = text.trim()
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed) ?? []
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return null
  try {
    const host = new URL(scheme === undefined ? `https://${bracketed(trimmed)}` : trimmed).hostname
    const name = host.replace(/\.$/, '').toLowerCase()
    return name.length <= NAME_MAX_LENGTH && HOST_NAME.test(name) ? name : null
  } catch {
    return null
  }
}

/** Non-empty labels separated by dots, or an IPv6 address. */
const HOST_NAME = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/

/** The limit of DNS. */
const NAME_MAX_LENGTH = 253

/**
 * URLs need brackets around IPv6 addresses, which people omit. The first two classes have no colon: anyone sends this text as a
 * header, and there must be one way only to read it.
 */
const bracketed = (text: string): string =>
  /^[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*$/i.test(text) ? `[${text}]` : text

const RULE = /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/
const RULE_MAX_LENGTH = 255

/**
 * Returns an entry of the account's domain lists as it is stored: a host as browsers send it, in lowercase
 * and punycode, or `*.` and a host. Returns null if it is anything else: a scheme, port or path is refused.
 */
export function hostRule(text: string): string | null {
  const [, wildcard = '', host = ''] = /^(\*\.)?(.*)$/s.exec(text.trim()) ?? []
  if (/[\s:/?#@\\]/.test(host)) return null
  const rule = `${wildcard}${normaliseHost(host) ?? ''}`
  return rule.length <= RULE_MAX_LENGTH && RULE.test(rule) ? rule : null
}

/**
 * A rule that a URL would leave as it is, as nearly all are: no punycode, and no last label that begins an IPv4 address.
 */
const PLAIN_RULE = /^(\*\.)?((?:(?!xn--)[a-z0-9-]+\.)*(?!xn--)[a-z][a-z0-9-]*)$/

/**
 * Parses a rule of the account's domain lists. Returns null if it is invalid. A plain rule takes a seventh of the time of a URL: an
 * embed page and each heartbeat read up to 2,000.
 */
export function parseHostRule(rule: string): { name: string; isWildcard: boolean } | null {
  const [, anyPart, plain] = PLAIN_RULE.exec(rule) ?? []
  if (plain !== undefined && plain.length <= NAME_MAX_LENGTH)
    return { name: plain, isWildcard: anyPart !== undefined }
  const [, wildcard, rest = ''] = /^(?:https?:\/\/)?(\*\.)?(.*)$/is.exec(rule.trim()) ?? []
  const name = normaliseHost(rest)
  return name === null ? null : { name, isWildcard: wildcard !== undefined }
}

/**
 * True if a rule of the account matches a normalised host (contract, "Domain rules"): an exact entry
 * matches only itself, `*.domain` matches every subdomain but not the bare domain.
 */
export function matchesHost(rule: string, host: string): boolean {
  const parsed = parseHostRule(rule)
  if (!parsed) return false
  return parsed.isWildcard ? host.endsWith(`.${parsed.name}`) : host === parsed.name
}

/** Returns what `matchesHost` says of any of the rules, for many hosts: it parses each rule once, and looks hosts up. */
export function hostMatcher(rules: readonly string[]): (host: string) => boolean {
  const names = new Set<string>()
  const wildcards = new Set<string>()
  for (const rule of rules) {
    const parsed = parseHostRule(rule)
    if (parsed) (parsed.isWildcard ? wildcards : names).add(parsed.name)
  }
  return (host) => names.has(host) || domainsOf(host).some((domain) => wildcards.has(domain))
}

/** The domains that a host is a subdomain of: `b.example` and `example` for `a.b.example`. */
function domainsOf(host: string): string[] {
  const labels = host.split('.')
  return labels.slice(1).map((_label, index) => labels.slice(index + 1).join('.'))
}

/** True if a normalised host is an IPv6 address, which is in brackets. */
export const isIpv6Host = (host: string): boolean => host.startsWith('[')
