import type { EgressResponse } from '../egress/egress.ts'

/**
 * What helps to understand an answer, and the ids under which servers, clouds and proxies log a
 * request. A fixed list: Set-Cookie, Authorization and whatever else may be a secret is never kept.
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
 * The headers of an answer that are recorded, by lowercase name: each value at most 256 characters
 * that PostgreSQL stores (no U+0000, no lone surrogate). A header that came twice is joined by commas.
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
