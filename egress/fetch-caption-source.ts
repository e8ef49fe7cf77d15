import { buffer } from 'node:stream/consumers'
import { CAPTION_MAX_BYTES, SOURCE_MAX_REDIRECTS } from '../domain/limits.ts'
import type { Egress } from './egress.ts'
import { SourceError, toSourceError } from './source-error.ts'
import { SOURCE_HEADERS } from './source-facts.ts'

/** Short, because an API request waits for the whole file. */
const DEADLINE_MS = 15_000

/**
 * Fetches a caption file with the address rules of a video source: at most 5 redirects, 5 MB and 15
 * seconds (contract, "Caption"). Throws a SourceError, or an EgressError `overloaded` or `network_away`.
 */
export async function fetchCaptionSource(
  egress: Egress,
  url: string,
  accountId: number,
): Promise<Buffer> {
  try {
    const response = await egress.request({
      url,
      method: 'GET',
      headers: SOURCE_HEADERS,
      maxRedirects: SOURCE_MAX_REDIRECTS,
      maxResponseBytes: CAPTION_MAX_BYTES,
      deadlineMs: DEADLINE_MS,
      accountId,
    })
    if (response.status >= 200 && response.status <= 299) return await buffer(response.body)
    response.body.destroy()
    const message = `The link responded with status ${response.status}; it must be 2xx.`
    throw new SourceError('source_unreachable', message)
  } catch (error) {
    throw toSourceError(error)
  }
}
