import { URL_MAX_LENGTH } from '../domain/limits.ts'
import { EgressError } from './egress-error.ts'

/**
 * The contract limits the URLs of integrators; redirects to signed links on a CDN are often longer, and so are the addresses that
 * this service signs.
 */
const SIGNED_MAX_LENGTH = 4 * URL_MAX_LENGTH

/**
 * Parses the URL of an integrator (contract, "Limits": https, port 443 or 8443, at most 2048
 * characters, or four times as many if this service signed it). Checks the raw text before the URL parser repairs it, because another parser may
 * repair it differently. Throws an EgressError `invalid_url` that describes the problem.
 */
export function parseOutboundUrl(text: string, ports: readonly number[], isSigned = false): URL {
  refuseUnsafeText(text, isSigned ? SIGNED_MAX_LENGTH : URL_MAX_LENGTH)
  return readAbsolute(text, ports)
}

/**
 * Parses the Location header of a redirect by the same rules. It can be relative to the address
 * that sent it. Throws an EgressError `invalid_url`.
 */
export function parseRedirectUrl(location: string, from: URL, ports: readonly number[]): URL {
  refuseUnsafeText(location, SIGNED_MAX_LENGTH)
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return readAbsolute(location, ports)
  if (/^\/\/[/?#]|^\/\/$/.test(location)) throw invalid('A redirect has no host.')
  const authority = location.startsWith('//') ? authorityOf(location) : from.host
  return checkUrl(parse(location, from), authority, ports)
}

/**
 * Returns the host for DNS, TLS and the address policy: without brackets and without a final dot.
 */
export function hostnameOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** Returns the port of an https URL. */
export function portOf(url: URL): number {
  return url.port === '' ? 443 : Number(url.port)
}

function readAbsolute(text: string, ports: readonly number[]): URL {
  if (!/^https:\/\/[^/?#]/i.test(text)) throw invalid('The URL must begin with https://.')
  return checkUrl(parse(text), authorityOf(text), ports)
}

function refuseUnsafeText(text: string, maxLength: number): void {
  if (typeof text !== 'string' || text === '') throw invalid('The URL is empty.')
  if (text.length > maxLength) throw invalid(`The URL is longer than ${maxLength} characters.`)
  // URL parsers drop or move controls, lone surrogates and spaces, and differ in how they do it.
  if (/[\s\p{Cc}\p{Cs}\p{Z}\\]/u.test(text))
    throw invalid('The URL contains a space, a control character or a backslash.')
}

function authorityOf(text: string): string {
  return /\/\/([^/?#]*)/.exec(text)?.[1] ?? ''
}

function parse(text: string, base?: URL): URL {
  try {
    return new URL(text, base)
  } catch {
    // Without the parser's error as the cause, because it quotes the whole input and its query.
    throw invalid('The URL is malformed.')
  }
}

function checkUrl(url: URL, authority: string, ports: readonly number[]): URL {
  if (authority.includes('@') || url.username !== '' || url.password !== '')
    throw invalid('The URL contains a user name or a password.')
  if (url.protocol !== 'https:') throw invalid('The URL must begin with https://.')
  if (!ports.includes(portOf(url))) throw invalid(`The port must be ${ports.join(' or ')}.`)
  if (hostnameOf(url) === '') throw invalid('The URL has no host.')
  // Percent-encoding turns one character into up to nine; few servers accept request lines over 8
  // KiB.
  if (url.href.length > SIGNED_MAX_LENGTH) throw invalid('The URL is too long.')
  return url
}

function invalid(message: string): EgressError {
  return new EgressError('invalid_url', message)
}
