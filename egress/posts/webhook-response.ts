import type { Readable } from 'node:stream'
import { EgressError } from '../egress-error.ts'
import type { EgressResponse } from '../egress.ts'

/**
 * Reads a response body until at least `maxBytes` have arrived, and leaves the rest unread, so that an endless body costs
 * neither memory nor time. `failure` is the error that cut the body short; null if none did.
 */
export async function readStart(
  body: Readable,
  maxBytes: number,
): Promise<{ bytes: Buffer; failure: EgressError | null }> {
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
  return { bytes: Buffer.concat(chunks), failure }
}

/**
 * Headers that help to understand a response, and the ids under which servers, clouds and proxies log a
 * request. The list is fixed, so that Set-Cookie, Authorization and other secrets are never stored.
 */
const KEPT_HEADERS = [
  'retry-after',
  'content-type',
  'content-encoding',
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
