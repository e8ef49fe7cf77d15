/** A site that may or may not embed: one host name, or every host name below one. */
export interface DomainRule {
  host: string
  /** True for `*.host`: subdomains of any depth, but not the bare host (spec, "Player host", rule 4). */
  isWildcard: boolean
}

/**
 * The form in which host names are compared: lower case, punycode, no port, no trailing dot, IP
 * addresses in their one spelling (IPv6 in brackets). Null where the text names no host.
 */
export function normaliseHost(text: string): string | null {
  const bare = text.trim()
  if (bare === '' || /[\s/?#@\\%*]/.test(bare)) return null
  const isBareIpv6 = /:.*:/.test(bare) && !bare.startsWith('[')
  const literal = isBareIpv6 ? `[${bare}]` : bare
  try {
    return withoutTrailingDot(new URL(`http://${literal}`).hostname)
  } catch {
    return null
  }
}

/** The host of a Referer or Origin header; null where it is missing, opaque or not of the web. */
export function hostOfSite(header: string | undefined): string | null {
  if (header === undefined || !/^https?:\/\//i.test(header)) return null
  try {
    return withoutTrailingDot(new URL(header).hostname)
  } catch {
    return null
  }
}

/**
 * Reads an entry of a domain list. Entries are typed by people: a scheme, a port or a path around
 * the name is cut off, since rules are about host names alone. Null where no name is left; such an
 * entry matches nothing.
 */
export function parseDomainRule(entry: string): DomainRule | null {
  const name = entry
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/, '')
  const isWildcard = name.startsWith('*.')
  const host = normaliseHost(isWildcard ? name.slice(2) : name)
  return host === null ? null : { host, isWildcard }
}

/** True where `host`, in normal form, is named by one of the entries. */
export function matchesAny(host: string, entries: readonly string[]): boolean {
  return entries.some((entry) => {
    const rule = parseDomainRule(entry)
    if (rule === null) return false
    return rule.isWildcard ? host.endsWith(`.${rule.host}`) : host === rule.host
  })
}

const withoutTrailingDot = (host: string): string | null => host.replace(/\.$/, '') || null
