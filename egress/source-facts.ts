import { SOURCE_MAX_BYTES } from '../domain/limits.ts'
import type { EgressResponse } from './egress.ts'
import { SourceError } from './source-error.ts'

/** The properties of a source, from its headers. */
export interface SourceFacts {
  finalUrl: string
  /** From Content-Length; null if it was not sent. */
  sizeBytes: number | null
  /** As sent, including parameters; null if it was not sent. */
  contentType: string | null
  etag: string | null
  /**
   * The If-Range of a later request: a strong ETag, else Last-Modified; null if there is neither.
   */
  validator: string | null
  acceptsRanges: boolean
}

/** Sent to every source, because some servers respond with 403 without a User-Agent. */
export const SOURCE_HEADERS = { 'user-agent': 'Reelgate/1.0', accept: '*/*' }

const TYPES: readonly string[] = [
  'application/octet-stream',
  'application/mp4',
  'binary/octet-stream',
]

/** Reads the facts from a response, without checking them. */
export function readFacts(response: EgressResponse): SourceFacts {
  const etag = readHeader(response, 'etag')
  const strongEtag = etag?.startsWith('"') ? etag : null
  const length = readHeader(response, 'content-length')
  return {
    finalUrl: response.finalUrl,
    sizeBytes: length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null,
    contentType: readHeader(response, 'content-type'),
    etag,
    validator: strongEtag ?? readHeader(response, 'last-modified'),
    acceptsRanges: /\bbytes\b/i.test(readHeader(response, 'accept-ranges') ?? ''),
  }
}

/** Returns a header as text; null if it is missing or empty. */
export function readHeader(response: EgressResponse, name: string): string | null {
  const value = response.headers[name]
  const text = Array.isArray(value) ? value.join(', ') : value
  return text?.trim() || null
}

/**
 * Checks the type and the size (contract, "Videos"), each only if it was sent. Throws a SourceError
 * unsupported_source_type, source_too_large or insufficient_storage.
 */
export function checkFacts(
  facts: { contentType: string | null; sizeBytes: number | null },
  availableBytes: number = Number.POSITIVE_INFINITY,
): void {
  const type = facts.contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== undefined && !/^video\/[a-z0-9.+_-]+$/.test(type) && !TYPES.includes(type))
    throw new SourceError(
      'unsupported_source_type',
      `The link sends the Content-Type ${printable(type)}; it must be video/*, application/octet-stream, application/mp4 or binary/octet-stream.`,
    )
  if (facts.sizeBytes === null) return
  if (facts.sizeBytes > SOURCE_MAX_BYTES)
    throw new SourceError('source_too_large', 'The file is larger than 20 GiB.')
  if (facts.sizeBytes > availableBytes)
    throw new SourceError(
      'insufficient_storage',
      `The file has ${facts.sizeBytes} bytes; the plan has ${Math.max(0, availableBytes)} bytes of storage left.`,
    )
}

/** Shortens and escapes the text of a server, so that it can be part of a message. */
function printable(text: string): string {
  return JSON.stringify(text.slice(0, 80))
}

/**
 * Parses "bytes 10-19/20", where the total can be "*" (RFC 9110, section 14.4); null for other
 * text.
 */
export function readPart(
  response: EgressResponse,
): { firstByte: number; totalBytes: number | null } | null {
  const text = readHeader(response, 'content-range') ?? ''
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(text)
  if (match === null) return null
  return { firstByte: Number(match[1]), totalBytes: match[3] === '*' ? null : Number(match[3]) }
}
