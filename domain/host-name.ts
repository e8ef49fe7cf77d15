/**
 * A host name in the one form in which names are compared: lowercase, punycode, without port and
 * without the dot at its end. Null where the text is none. Accepts what people paste: a host, a
 * host with a port, a whole URL.
 */
export function normaliseHost(text: string): string | null {
  const trimmed = text.trim()
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
  try {
    const host = new URL(address).hostname.replace(/\.$/, '').toLowerCase()
    return host === '' ? null : host
  } catch {
    return null
  }
}

/**
 * True where a rule of the account matches a (normalised) host (spec, "Domain rules", rule 4): an
 * exact entry matches only itself, `*.domain` every subdomain but not the bare domain.
 */
export function matchesHost(rule: string, host: string): boolean {
  const [, wildcard, rest = ''] = /^\s*(\*\.)?(.*)$/s.exec(rule) ?? []
  const name = normaliseHost(rest)
  if (name === null) return false
  return wildcard === undefined ? host === name : host.endsWith(`.${name}`)
}
