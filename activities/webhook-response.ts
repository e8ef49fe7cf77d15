import type { Readable } from 'node:stream'
import type { EgressResponse } from '../egress/egress.ts'
import { EgressError } from '../egress/egress-error.ts'

/**
 * Reads at most `maxBytes` of a response body and leaves the rest unread, so that an endless body costs
 * neither memory nor time. `failure` is the error that cut the body short; null if none did.
 */
export async function readStart(
  body: Readable,
  maxBytes: number,
): Promise<{ text: string; failure: EgressError | null }> {
  const stream: AsyncIterable<Buffer> = body
  const chunks: Buffer[] = []
  let sizeBytes = 0
  let failure: EgressError | null = null
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      sizeBytes += chunk.length
      if (sizeBytes >= maxBytes) break
    }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    failure = error
  } finally {
    body.destroy()
  }
  return { text: storableText(Buffer.concat(chunks), maxBytes), failure }
}

/** Text that PostgreSQL stores (it refuses U+0000), in at most `maxBytes` of UTF-8, cut between characters. */
function storableText(bytes: Buffer, maxBytes: number): string {
  const text = startOf(bytes, maxBytes).replaceAll('\0', '\uFFFD')
  // Bytes that are not UTF-8 become U+FFFD, which takes three bytes.
  return startOf(Buffer.from(text), maxBytes)
}

// With `stream`, the decoder drops a character that the cut divided.
const startOf = (bytes: Buffer, maxBytes: number): string =>
  new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: bytes.length > maxBytes })

/**
 * Headers that help to understand a response, and the ids under which servers, clouds and proxies log a
 * request. The list is fixed, so that Set-Cookie, Authorization and other secrets are never stored.
 */
const KEPT_HEADERS = [
  'retry-after',
  'content-type',
  'location',
  'server',
  'date',
  'request-id',
  'x-request-id',
  'x-correlation-id',
  'x-trace-id',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-amz-cf-id',
  'x-cloud-trace-context',
  'x-azure-ref',
  'x-ms-request-id',
  'cf-ray',
  'fly-request-id',
  'x-vercel-id',
  'x-nf-request-id',
]
const VALUE_MAX_LENGTH = 256

/**
 * Returns the recorded headers of a response, by lowercase name. Each value has at most 256 characters,
 * all storable by PostgreSQL (no U+0000, no lone surrogate). Repeated headers are joined by commas.
 */
export function keptHeaders(headers: EgressResponse['headers']): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, storable([value].flat().join(', '))]]
    }),
  )
}

const storable = (value: string): string =>
  value
    .replaceAll(/\p{Cc}/gu, '\uFFFD')
    .slice(0, VALUE_MAX_LENGTH)
    .toWellFormed()
