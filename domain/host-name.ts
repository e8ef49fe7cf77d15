/**
 * A host name in the one form in which names are compared: lowercase, punycode, without port and
 * without the dot at its end. Null where the text is none. Accepts what people paste: a host, a
 * host with a port, a web address.
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

/** Labels that are not empty, parted by dots; or an IPv6 address. */
const HOST_NAME = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/

/** What DNS can carry. */
const NAME_MAX_LENGTH = 253

/** An IPv6 address as people write it lacks the brackets that an URL needs. */
const bracketed = (text: string): string =>
  /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text) ? `[${text}]` : text

/** A rule of the account's domain lists, read; null where it is none. */
export function parseHostRule(rule: string): { name: string; isWildcard: boolean } | null {
  const [, wildcard, rest = ''] = /^(?:https?:\/\/)?(\*\.)?(.*)$/is.exec(rule.trim()) ?? []
  const name = normaliseHost(rest)
  return name === null ? null : { name, isWildcard: wildcard !== undefined }
}

/**
 * True where a rule of the account matches a (normalised) host (spec, "Domain rules", rule 4): an
 * exact entry matches only itself, `*.domain` every subdomain but not the bare domain.
 */
export function matchesHost(rule: string, host: string): boolean {
  const parsed = parseHostRule(rule)
  if (!parsed) return false
  return parsed.isWildcard ? host.endsWith(`.${parsed.name}`) : host === parsed.name
}

/** True for the (normalised) host that is an IPv6 address, in its brackets. */
export const isIpv6Host = (host: string): boolean => host.startsWith('[')
