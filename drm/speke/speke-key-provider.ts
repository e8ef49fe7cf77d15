import { text } from 'node:stream/consumers'
import type { KeyGroup } from '../../domain/drm/key-contract.ts'
import { EgressError, isOwnFault } from '../../egress/egress-error.ts'
import type { Egress, EgressResponse } from '../../egress/egress.ts'
import { DrmProviderError, unavailable, type KeyServerFault } from '../drm-provider-error.ts'
import type { KeyProvider, KeysRequest } from '../key-provider.ts'
import { authenticated, type RequestToSign, type SpekeAuthentication } from './authentication.ts'
import { incomplete } from './cpix-error.ts'
import { SPEKE_VERSION } from './cpix-names.ts'
import { cpixRequest } from './cpix-request.ts'
import { parseCpixResponse } from './cpix-response.ts'
import type { SpekeIdentity } from './encrypted-keys.ts'
import { publishedSentence } from './speke-errors.ts'

export interface SpekeOptions {
  egress: Egress
  /** https URL of the SPEKE 2.0 endpoint (DRM_SPEKE_URL). */
  url: string
  authentication: SpekeAuthentication
  /** What the content keys are encrypted for; absent: they come in clear, over TLS. */
  identity?: SpekeIdentity | undefined
  /** The keys of every video. */
  groups: readonly KeyGroup[]
  /** For one response: 15 s by default, shorter in tests. */
  deadlineMs?: number
}

const DEADLINE_MS = 15_000
const RESPONSE_MAX_BYTES = 1024 * 1024

/**
 * Gets keys and signalling of Widevine, PlayReady and FairPlay from a SPEKE 2.0 endpoint, which completes a CPIX
 * document. Throws a DrmProviderError without key material, which says whether a later attempt may succeed.
 */
export function createSpekeKeyProvider(options: SpekeOptions): KeyProvider {
  const { groups, identity } = options
  return {
    model: 'provider',
    groups: () => groups,
    async createKeys({ videoId, keys, signal }) {
      const body = cpixRequest({ contentId: videoId, keys, certificate: identity?.certificate })
      const response = await ask(options, body, signal)
      refuseStatus(response)
      checkHeaders(response)
      return parseCpixResponse(response.body, { contentId: videoId, keys, identity })
    },
  }
}

interface SpekeResponse {
  status: number
  header: (name: string) => string | undefined
  body: string
}

/** Sends the request, and a second time if the endpoint asks for digest authentication. */
async function ask(
  { egress, url, authentication, deadlineMs = DEADLINE_MS }: SpekeOptions,
  body: string,
  signal: KeysRequest['signal'],
): Promise<SpekeResponse> {
  const request: RequestToSign = {
    url,
    method: 'POST',
    headers: {
      'Content-Type': 'application/xml',
      Accept: 'application/xml',
      'X-Speke-Version': SPEKE_VERSION,
      'X-Speke-User-Agent': 'Reelgate',
    },
    body,
  }
  const send = async (headers: Record<string, string>): Promise<SpekeResponse> => {
    const limits = { deadlineMs, maxResponseBytes: RESPONSE_MAX_BYTES }
    const sent = { ...request, headers, ...limits, ...(signal && { signal }) }
    return withoutSecrets(async () => read(await egress.request(sent)), signal)
  }
  const first = await send(authenticated(request, authentication) ?? request.headers)
  const challenge = first.header('www-authenticate')
  if (first.status !== 401 || authentication.kind !== 'digest' || challenge === undefined)
    return first
  const headers = authenticated(request, authentication, challenge)
  return headers ? send(headers) : first
}

async function read({ status, headers, body }: EgressResponse): Promise<SpekeResponse> {
  const header = (name: string): string | undefined => {
    const value = headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }
  return { status, header, body: await text(body) }
}

/** A connection that fails may succeed later, also to an address that may not be used; a fault of this installation's network is none of the provider. */
async function withoutSecrets<Result>(
  work: () => Promise<Result>,
  signal: KeysRequest['signal'],
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof EgressError) || signal?.aborted || isOwnFault(error)) throw error
    const isAddress = ['invalid_url', 'address_not_allowed'].includes(error.code)
    const message = `The DRM provider cannot be reached: ${error.code}.`
    throw unavailable(isAddress ? 'address' : 'away', message)
  }
}

/** Statuses below 500 after which the same request may succeed (RFC 9110, RFC 6585, RFC 8470). */
const TEMPORARY: readonly number[] = [408, 425, 429]
/** Statuses for credentials that have ended or were withdrawn, also for want of payment. */
const CREDENTIALS: readonly number[] = [401, 402, 403, 407]
/** Statuses of what is no key server, or none any more, besides redirects: those are not followed, because they would take the credentials along. */
const ADDRESS: readonly number[] = [404, 405, 410, 421]

const WAITING: Record<KeyServerFault, string> = {
  away: 'The DRM provider does not make keys at the moment',
  credentials: 'The DRM provider does not accept the credentials of this installation',
  address: 'The DRM provider has no key server at the configured address',
}

/**
 * Throws unless the status is 200. Only a response about the request itself is final: an operator can fix credentials
 * and address, but not a video that has failed.
 */
function refuseStatus({ status, body }: SpekeResponse): void {
  if (status === 200) return
  const sentence = publishedSentence(body)
  const fault = faultOf(status)
  if (fault === 'away' || (fault !== null && sentence === undefined))
    throw unavailable(fault, `${WAITING[fault]}: status ${status}.`)
  throw new DrmProviderError(
    'drm_provider_refused',
    `The DRM provider refused to make keys: ${sentence === undefined ? '' : `“${sentence}”, `}status ${status}.`,
  )
}

function faultOf(status: number): KeyServerFault | null {
  if (CREDENTIALS.includes(status)) return 'credentials'
  if (ADDRESS.includes(status) || (status >= 300 && status < 400)) return 'address'
  const isAway = status < 300 || status >= 500 || TEMPORARY.includes(status)
  return isAway ? 'away' : null
}

/** The headers of SPEKE 2.0. Nothing, or a page instead of XML, comes from something in front of the key server. */
function checkHeaders({ header, body }: SpekeResponse): void {
  if (body.trim() === '') throw unavailable('away', 'The DRM provider sent an empty response.')
  if (!/^(application|text)\/xml\s*(;|$)/i.test(header('content-type') ?? ''))
    throw unavailable('away', 'The DRM provider responded with something other than XML.')
  if (header('x-speke-version') !== SPEKE_VERSION)
    throw incomplete(`X-Speke-Version ${SPEKE_VERSION}`)
  if (!header('x-speke-user-agent')) throw incomplete('X-Speke-User-Agent')
}
