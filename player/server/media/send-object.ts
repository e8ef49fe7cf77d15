import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { lengthOf, ObjectNotFoundError } from '../../../storage/object-storage.ts'
import type { ByteRange, StoredObject } from '../../../storage/object-storage.ts'
import { PlayerError } from '../player-error.ts'
import { parseRange } from './byte-range.ts'
import { sendBuffer, sendStream } from './send-body.ts'
import type { OnSent } from './send-body.ts'

interface Answer {
  object: StoredObject
  /** Of every answer with a body; Content-Type and Cache-Control among them. */
  headers: Record<string, string>
  /** Opens the object, or a part of it, where it is not in memory. */
  open: (range: ByteRange) => Promise<Readable>
  onSent: OnSent
}

/**
 * Answers GET or HEAD with an object: conditions first, then one byte range (RFC 9110, sections 13
 * and 14). Writes through Node's own response, with or without Express around it.
 */
export async function sendObject(
  request: IncomingMessage,
  response: ServerResponse,
  { object, headers, open, onSent }: Answer,
): Promise<void> {
  const { sizeBytes, body } = object
  const etag = `"${object.etag}"`
  const shared = { ...headers, ETag: etag, 'Accept-Ranges': 'bytes' }
  if (isKnown(request.headers['if-none-match'], etag))
    return void response.writeHead(304, shared).end()
  const asked = rangeOf(request, etag, sizeBytes)
  if (asked === 'unsatisfiable') {
    const refusal = { 'Content-Range': `bytes */${sizeBytes}`, 'Cache-Control': 'no-store' }
    return void response.writeHead(416, { ...shared, ...refusal }).end()
  }
  const range = asked ?? { startByte: 0, endByte: sizeBytes - 1 }
  const length = lengthOf(range)
  const part = asked && {
    'Content-Range': `bytes ${range.startByte}-${range.endByte}/${sizeBytes}`,
  }
  // Opened before the head leaves, so that an object that is gone can still be told of.
  const isEmpty = request.method === 'HEAD' || length === 0
  const stream = isEmpty || body ? null : await open(range).catch(orNotFound)
  response.writeHead(part ? 206 : 200, { ...shared, ...part, 'Content-Length': length })
  if (isEmpty) return void response.end()
  if (stream) return sendStream(response, stream, onSent)
  if (body) sendBuffer(response, body.subarray(range.startByte, range.endByte + 1), onSent)
}

/** What is told of an object that is not there. */
export const notFound = (): PlayerError =>
  new PlayerError(404, 'not_found', 'There is nothing at this address.')

/** Deleted since it was last looked at. */
function orNotFound(error: unknown): never {
  throw error instanceof ObjectNotFoundError ? notFound() : error
}

/** The comparison is the weak one, as If-None-Match has it. */
const isKnown = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(',').some((text) => ['*', etag].includes(text.trim().replace(/^W\//, '')))

/** A Range counts for GET alone, and behind If-Range only where the object is still the same. */
function rangeOf(request: IncomingMessage, etag: string, sizeBytes: number) {
  const ifRange = request.headers['if-range']
  if (request.method !== 'GET' || (ifRange !== undefined && ifRange !== etag)) return null
  return parseRange(request.headers.range, sizeBytes)
}
