import { EgressError } from './egress-error.ts'
import type { Hop, HopResponse } from './exchange.ts'
import { parseRedirectUrl } from './url-policy.ts'

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]
/** Meant for the first server only. */
const PRIVATE_HEADERS: readonly string[] = ['authorization', 'cookie', 'proxy-authorization']
const BODY_HEADERS: readonly string[] = ['content-type', 'content-length', 'content-encoding']

/**
 * The request that a redirect asks for, or null when the answer is not a redirect that can be followed.
 * To another origin, neither a body nor credentials are carried along.
 * Throws an EgressError `invalid_url` when the new address breaks the rules for addresses.
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
