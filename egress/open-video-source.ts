import type { Readable } from 'node:stream'
import { SOURCE_MAX_BYTES, SOURCE_MAX_REDIRECTS } from '../domain/limits.ts'
import type { Egress, EgressResponse } from './egress.ts'
import { SourceError, toSourceError } from './source-error.ts'
import { checkFacts, readFacts, readHeader, readPart, SOURCE_HEADERS } from './source-facts.ts'

export interface OpenSourceOptions {
  /** The number of bytes that are already downloaded; 0 for a new download. */
  startByte: number
  /**
   * The `validator` of the response that contained those bytes. Without it, the download restarts.
   */
  ifRange: string | null
  signal?: AbortSignal
  accountId?: number
  /** Whether this service has signed the address. */
  isSigned?: boolean
  /** Limit for everything, including the body. */
  deadlineMs: number
}

/** An open download of a source. */
export interface OpenedSource {
  /** Read it to its end or destroy it. Fails with EgressErrors, which `toSourceError` converts. */
  body: Readable
  /**
   * The position of the body in the file: the requested `startByte`, or 0 if the download restarts.
   */
  startByte: number
  /** The size of the whole file; null if the server does not send it. */
  totalBytes: number | null
  etag: string | null
  /** Pass it as `ifRange` to resume this download; null if it cannot be resumed. */
  validator: string | null
  acceptsRanges: boolean
}

/**
 * Opens a download: from `startByte` if the server still has the same file and supports ranges,
 * else from the beginning. Checks the address, redirects, type and size again, as the contract
 * requires. The caller reserves the storage of the plan. Throws a SourceError, or an EgressError
 * `aborted` if `signal` aborts.
 */
export async function openVideoSource(
  egress: Egress,
  url: string,
  options: OpenSourceOptions,
): Promise<OpenedSource> {
  const startedMs = performance.now()
  // A weak ETag does not guarantee equal bytes, so If-Range must not contain it (RFC 9110, section
  // 13.1.5).
  const isStrong = options.ifRange !== null && !options.ifRange.startsWith('W/')
  const canResume = options.startByte > 0 && isStrong && options.ifRange
  if (canResume) {
    const range = { range: `bytes=${options.startByte}-`, 'if-range': canResume }
    const resumed = await open(egress, url, options, range)
    if (resumed !== null) return resumed
  }
  const leftMs = Math.max(1, options.deadlineMs - (performance.now() - startedMs))
  const fresh = await open(egress, url, { ...options, startByte: 0, deadlineMs: leftMs }, {})
  if (fresh !== null) return fresh
  throw new SourceError(
    'source_unreachable',
    'The link responded with a part that was not requested.',
  )
}

/** Returns null if the response is another part; the caller then requests the whole file. */
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
      ...(options.isSigned && { isSigned: true }),
      method: 'GET',
      headers: { ...SOURCE_HEADERS, ...headers },
      maxRedirects: SOURCE_MAX_REDIRECTS,
      maxResponseBytes: SOURCE_MAX_BYTES,
      deadlineMs: options.deadlineMs,
      ...(options.signal && { signal: options.signal }),
      ...(options.accountId !== undefined && { accountId: options.accountId }),
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
    throw new SourceError(
      'source_unreachable',
      `The link responded with status ${response.status}.`,
    )

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
    // A server that sends a part may leave it out.
    validator: isPart ? (ifRange ?? facts.validator) : facts.validator,
    acceptsRanges: isPart || facts.acceptsRanges,
  }
}

/** Detects a server that ignores If-Range and sends a part of a newer file, by its headers. */
function hasChanged(response: EgressResponse, ifRange: string): boolean {
  const current = readHeader(response, ifRange.startsWith('"') ? 'etag' : 'last-modified')
  return current !== null && current !== ifRange
}
