import type { Readable } from 'node:stream'
import { SOURCE_MAX_BYTES, SOURCE_MAX_REDIRECTS } from '../domain/limits.ts'
import type { Egress, EgressResponse } from './egress.ts'
import { SourceError, toSourceError } from './source-error.ts'
import { checkFacts, headerOf, readFacts, SOURCE_HEADERS } from './source-facts.ts'

export interface OpenSourceOptions {
  /** How many bytes are there already; 0 for a fresh download. */
  startByte: number
  /** The `validator` of the answer that those bytes came from. Without one, nothing is resumed. */
  ifRange?: string | null
  signal?: AbortSignal
  /** For everything, the body too. */
  deadlineMs: number
}

/** A source that is being read. */
export interface OpenedSource {
  /** Read it to its end or destroy it. Fails with EgressErrors: `toSourceError` says them in the contract's codes. */
  body: Readable
  /** Where the body begins: the `startByte` that was asked for, or 0 when the file begins anew. */
  startByte: number
  /** Of the whole file; null when the server does not say. */
  totalBytes: number | null
  etag: string | null
  /** To be given as `ifRange` when this download is resumed; null when it cannot be. */
  validator: string | null
  acceptsRanges: boolean
}

/**
 * Opens a source for download, from `startByte` where the server has that very file and allows it, else
 * from its beginning. Address, redirects, type and size are judged again, as the contract asks; the
 * storage of the plan is for the caller to reserve.
 * Throws a SourceError; an EgressError `aborted` when `signal` was.
 */
export async function openVideoSource(
  egress: Egress,
  url: string,
  options: OpenSourceOptions,
): Promise<OpenedSource> {
  const startedMs = performance.now()
  // A weak ETag promises no equal bytes, and is not allowed in If-Range (RFC 9110, section 13.1.5).
  const canResume = options.startByte > 0 && options.ifRange && !options.ifRange.startsWith('W/')
  if (canResume) {
    const range = { range: `bytes=${options.startByte}-`, 'if-range': options.ifRange ?? '' }
    const resumed = await open(egress, url, options, range)
    if (resumed !== null) return resumed
  }
  const leftMs = Math.max(1, options.deadlineMs - (performance.now() - startedMs))
  const fresh = await open(egress, url, { ...options, startByte: 0, deadlineMs: leftMs }, {})
  if (fresh !== null) return fresh
  throw new SourceError(
    'source_unreachable',
    'The link answered with a part that was not asked for.',
  )
}

/** Null when the answer is a part of something else: the caller then asks for the whole. */
async function open(
  egress: Egress,
  url: string,
  options: OpenSourceOptions,
  headers: Record<string, string>,
): Promise<OpenedSource | null> {
  const response = await get(egress, url, options, headers)
  try {
    const source = readSource(response, options, headers)
    if (source === null) response.body.destroy()
    return source
  } catch (error) {
    response.body.destroy()
    throw error
  }
}

async function get(
  egress: Egress,
  url: string,
  options: OpenSourceOptions,
  headers: Record<string, string>,
): Promise<EgressResponse> {
  try {
    return await egress.request({
      url,
      method: 'GET',
      headers: { ...SOURCE_HEADERS, ...headers },
      maxRedirects: SOURCE_MAX_REDIRECTS,
      maxResponseBytes: SOURCE_MAX_BYTES,
      deadlineMs: options.deadlineMs,
      ...(options.signal && { signal: options.signal }),
    })
  } catch (error) {
    throw toSourceError(error)
  }
}

function readSource(
  response: EgressResponse,
  options: OpenSourceOptions,
  { range, 'if-range': ifRange }: Record<string, string>,
): OpenedSource | null {
  if (range !== undefined && response.status === 416) return null
  if (response.status < 200 || response.status > 299)
    throw new SourceError('source_unreachable', `The link answered with status ${response.status}.`)

  const { sizeBytes, ...facts } = readFacts(response)
  const isPart = response.status === 206
  const part = isPart ? readPart(response) : { firstByte: 0, totalBytes: sizeBytes }
  if (part === null || (isPart && part.firstByte !== options.startByte)) return null
  if (isPart && ifRange !== undefined && hasChanged(response, ifRange)) return null

  checkFacts({ ...facts, sizeBytes: part.totalBytes })
  return {
    body: response.body,
    startByte: part.firstByte,
    totalBytes: part.totalBytes,
    etag: facts.etag,
    validator: facts.validator,
    acceptsRanges: isPart || facts.acceptsRanges,
  }
}

/** A server that ignores If-Range sends a part of the new file; its own headers give it away. */
function hasChanged(response: EgressResponse, ifRange: string): boolean {
  const current = headerOf(response, ifRange.startsWith('"') ? 'etag' : 'last-modified')
  return current !== null && current !== ifRange
}

/** Reads "bytes 10-19/20"; the total may be "*" (RFC 9110, section 14.4). Null when it is anything else. */
function readPart(response: EgressResponse) {
  const text = headerOf(response, 'content-range') ?? ''
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(text)
  if (match === null) return null
  return { firstByte: Number(match[1]), totalBytes: match[3] === '*' ? null : Number(match[3]) }
}
