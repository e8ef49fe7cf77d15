import { buffer } from 'node:stream/consumers'
import { EgressError } from '../../egress/egress-error.ts'
import type { Egress } from '../../egress/egress.ts'
import type { FramedRequest, ProviderResponse } from './licence-adapter.ts'

const DEADLINE_MS = 5000
/** A retry with less time left would only double the load of a slow server. */
const RETRY_MIN_MS = 1000
/** Licences have a few KiB; PlayReady's are XML with a certificate chain. */
const RESPONSE_MAX_BYTES = 512 * 1024

/** The licence server gave no response. `reason` is the code of the egress, which contains no address. */
export class NoResponseError extends Error {
  override name = 'NoResponseError'
  readonly reason: string

  constructor(reason: string) {
    super(`the licence server gave no response: ${reason}`)
    this.reason = reason
  }
}

/**
 * Asks the licence server at `url`, which may contain a secret, and resolves to its whole response, whatever its status. Asks once more if nothing at
 * all came back, with a newly built request; both together take at most five seconds. Throws a
 * NoResponseError.
 */
export async function askProvider(
  egress: Egress,
  url: string,
  build: () => Promise<FramedRequest> | FramedRequest,
): Promise<ProviderResponse> {
  const startedMs = performance.now()
  const leftMs = (): number => DEADLINE_MS - (performance.now() - startedMs)
  try {
    return await ask(egress, url, await build(), DEADLINE_MS)
  } catch (error) {
    const reason = reasonOf(error)
    if (!NOTHING_CAME.has(reason) || leftMs() < RETRY_MIN_MS) throw new NoResponseError(reason)
  }
  try {
    return await ask(egress, url, await build(), leftMs())
  } catch (error) {
    throw new NoResponseError(reasonOf(error))
  }
}

/** The failures after which the server has sent nothing. */
const NOTHING_CAME: ReadonlySet<string> = new Set([
  'dns_error',
  'connection_refused',
  'connection_reset',
  'timeout',
])

function reasonOf(error: unknown): string {
  if (error instanceof EgressError) return error.code
  throw error
}

async function ask(
  egress: Egress,
  url: string,
  { headers, body }: FramedRequest,
  deadlineMs: number,
): Promise<ProviderResponse> {
  const response = await egress.request({
    url,
    method: 'POST',
    headers,
    body,
    deadlineMs: Math.ceil(deadlineMs),
    maxResponseBytes: RESPONSE_MAX_BYTES,
    // A viewer waits.
    isUrgent: true,
  })
  const { status, headers: received } = response
  return {
    status,
    header: (name) => {
      const value = received[name]
      return (Array.isArray(value) ? value[0] : value) ?? null
    },
    body: await buffer(response.body).catch((error: unknown) => {
      // The server has begun to respond, so it is not asked again.
      throw new NoResponseError(reasonOf(error))
    }),
  }
}
