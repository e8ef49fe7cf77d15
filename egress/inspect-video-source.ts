import { SOURCE_MAX_REDIRECTS } from '../domain/limits.ts'
import type { Egress } from './egress.ts'
import { SourceError, toSourceError } from './source-error.ts'
import { checkFacts, readFacts, SOURCE_HEADERS, type SourceFacts } from './source-facts.ts'

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
  {
    availableBytes,
    signal,
    accountId,
  }: { availableBytes: number; signal?: AbortSignal; accountId?: number },
): Promise<SourceFacts> {
  const response = await egress
    .request({
      url,
      method: 'HEAD',
      headers: SOURCE_HEADERS,
      maxRedirects: SOURCE_MAX_REDIRECTS,
      deadlineMs: HEAD_DEADLINE_MS,
      ...(signal && { signal }),
      ...(accountId !== undefined && { accountId }),
    })
    .catch((error: unknown) => {
      throw toSourceError(error)
    })
  response.body.destroy()
  if (response.status < 200 || response.status > 299)
    throw new SourceError(
      'source_unreachable',
      `The link responded to a HEAD request with status ${response.status}; it must be 2xx. Links that are signed only for GET fail here.`,
    )
  const facts = readFacts(response)
  checkFacts(facts, availableBytes)
  return facts
}
