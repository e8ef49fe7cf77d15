import { SOURCE_MAX_REDIRECTS } from '../domain/limits.ts'
import type { Egress } from './egress.ts'
import { SourceError, toSourceError } from './source-error.ts'
import { checkFacts, readFacts, SOURCE_HEADERS, type SourceFacts } from './source-facts.ts'

/** The caller waits for this check, redirects and all. */
const HEAD_DEADLINE_MS = 10_000

/**
 * Checks a source link as POST /v1/videos does (spec, "Videos"): address rules on each hop, a HEAD request
 * with a 2xx answer, type, and size against 20 GiB and `availableBytes`. Takes at most ten seconds.
 * Throws a SourceError; an EgressError `aborted` when `signal` was.
 */
export async function inspectVideoSource(
  egress: Egress,
  url: string,
  { availableBytes, signal }: { availableBytes: number; signal?: AbortSignal },
): Promise<SourceFacts> {
  const headers = SOURCE_HEADERS
  const request = { url, method: 'HEAD', headers, maxRedirects: SOURCE_MAX_REDIRECTS }
  const response = await egress
    .request({ ...request, deadlineMs: HEAD_DEADLINE_MS, ...(signal && { signal }) })
    .catch((error: unknown) => {
      throw toSourceError(error)
    })
  response.body.destroy()
  if (response.status < 200 || response.status > 299)
    throw new SourceError(
      'source_unreachable',
      `The link answered a HEAD request with status ${response.status}; it must be 2xx. Links that are signed for GET alone fail here.`,
    )
  const facts = readFacts(response)
  checkFacts(facts, availableBytes)
  return facts
}
