import { EgressError } from './egress-error.ts'
import type { Hop, HopResponse } from './exchange.ts'
import { parseRedirectUrl } from './url-policy.ts'

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]
/** Only sent to the first server. */
const PRIVATE_HEADERS: readonly string[] = ['authorization', 'cookie', 'proxy-authorization']
const BODY_HEADERS: readonly string[] = ['content-type', 'content-length', 'content-encoding']

/**
 * Returns the request that a redirect leads to, or null if the response is not a redirect with an
 * address. A request to another origin contains neither the body nor credentials.
 * Throws an EgressError `invalid_url` if the new address violates the address rules.
 */
export function followRedirect(
  hop: Hop,
  response: Pick<HopResponse, 'status' | 'headers'>,
  ports: readonly number[],
): Hop | null {
  const { location } = response.headers
  if (!REDIRECTS.includes(response.status) || location === undefined) return null
  if (typeof location !== 'string')
    throw new EgressError('protocol_error', 'A redirect names more than one address.')

  const url = parseRedirectUrl(location, hop.url, ports)
  const isSameOrigin = url.origin === hop.url.origin
  const keepsBody = isSameOrigin && (response.status === 307 || response.status === 308)
  const dropped = [...(isSameOrigin ? [] : PRIVATE_HEADERS), ...(keepsBody ? [] : BODY_HEADERS)]
  const headers = Object.fromEntries(
    Object.entries(hop.headers).filter(([name]) => !dropped.includes(name.toLowerCase())),
  )
  if (keepsBody) return { ...hop, url, headers }
  const { maxResponseBytes } = hop
  return { url, method: hop.method === 'HEAD' ? 'HEAD' : 'GET', headers, maxResponseBytes }
}
