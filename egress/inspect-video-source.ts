import { SOURCE_MAX_REDIRECTS } from '../domain/limits.ts'
import type { Egress, EgressResponse } from './egress.ts'
import { SourceError, toSourceError } from './source-error.ts'
import {
  checkFacts,
  readFacts,
  readPart,
  SOURCE_HEADERS,
  type SourceFacts,
} from './source-facts.ts'

/** Short, because an API request waits for the check and all its redirects. */
const HEAD_DEADLINE_MS = 10_000

/**
 * Checks a source link as POST /v1/videos does (contract, "Videos"): the address rules for each
 * hop, a HEAD request with a 2xx response, the type, and the size against 20 GiB and
 * `availableBytes`. Takes at most ten seconds, and three more if this installation's network may be
 * at fault. Throws a SourceError, or an EgressError `aborted` if `signal` aborts, or `overloaded` or
 * `network_away`.
 */
export async function inspectVideoSource(
  egress: Egress,
  url: string,
  options: InspectOptions,
): Promise<SourceFacts> {
  let response = await ask(egress, url, 'HEAD', options)
  const isRefused = response.status < 200 || response.status > 299
  if (isRefused && options.mayRefuseHead) response = await ask(egress, url, 'GET', options)
  if (response.status < 200 || response.status > 299)
    throw new SourceError('source_unreachable', refusedBy(response, options))
  const facts = readFacts(response)
  const sizeBytes = response.status === PARTIAL ? readWhole(response) : facts.sizeBytes
  checkFacts({ ...facts, sizeBytes }, options.availableBytes)
  return { ...facts, sizeBytes }
}

interface InspectOptions {
  availableBytes: number
  signal?: AbortSignal
  accountId?: number
  /** Asks a link that refuses HEAD for its first byte, because signed addresses may allow GET only (ADR 0074). */
  mayRefuseHead?: boolean
  /** Whether this service has signed the address. */
  isSigned?: boolean
}

const PARTIAL = 206

const refusedBy = ({ status }: EgressResponse, { mayRefuseHead }: InspectOptions): string =>
  mayRefuseHead
    ? `The link responded with status ${status}; it must be 2xx.`
    : `The link responded to a HEAD request with status ${status}; it must be 2xx. Links that are signed only for GET fail here.`

async function ask(
  egress: Egress,
  url: string,
  method: 'HEAD' | 'GET',
  { signal, accountId, isSigned }: InspectOptions,
): Promise<EgressResponse> {
  const response = await egress
    .request({
      url,
      ...(isSigned && { isSigned }),
      method,
      headers: { ...SOURCE_HEADERS, ...(method === 'GET' && { range: 'bytes=0-0' }) },
      maxRedirects: SOURCE_MAX_REDIRECTS,
      deadlineMs: HEAD_DEADLINE_MS,
      ...(signal && { signal }),
      ...(accountId !== undefined && { accountId }),
    })
    .catch((error: unknown) => {
      throw toSourceError(error)
    })
  response.body.destroy()
  return response
}

/** The size of the whole file from the response to a request for its first byte; null if it does not say it. */
const readWhole = (response: EgressResponse): number | null =>
  readPart(response)?.totalBytes ?? null
