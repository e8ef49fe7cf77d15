import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import {
  lengthOf,
  ObjectNotFoundError,
  type ByteRange,
  type StoredObject,
} from '../../../storage/object-storage.ts'
import { PlayerError } from '../player-error.ts'

interface ObjectResponse {
  object: StoredObject
  /** Sent with every response that has a body. */
  headers: Record<string, string>
  /** Opens a range of the object, if its body is not in memory. */
  open: (range: ByteRange) => Promise<Readable>
  onSent: OnSent
}

/**
 * Sends an object in response to GET or HEAD. Evaluates If-None-Match first, then one byte range
 * (RFC 9110, sections 13 and 14). Works with a plain Node response, with or without Express.
 */
export async function sendObject(
  request: IncomingMessage,
  response: ServerResponse,
  { object, headers, open, onSent }: ObjectResponse,
): Promise<void> {
  const { sizeBytes, body } = object
  const etag = `"${object.etag}"`
  const shared = { ...headers, ETag: etag, 'Accept-Ranges': 'bytes' }
  if (isKnown(request.headers['if-none-match'], etag))
    return void response.writeHead(304, shared).end()
  const requested = rangeOf(request, etag, sizeBytes)
  if (requested === 'unsatisfiable') {
    const refusal = { 'Content-Range': `bytes */${sizeBytes}`, 'Cache-Control': 'no-store' }
    return void response.writeHead(416, { ...shared, ...refusal }).end()
  }
  const range = requested ?? { startByte: 0, endByte: sizeBytes - 1 }
  const length = lengthOf(range)
  const part = requested && {
    'Content-Range': `bytes ${range.startByte}-${range.endByte}/${sizeBytes}`,
  }
  // Opened before the head is sent, so that a missing object can still become a 404.
  const isEmpty = request.method === 'HEAD' || length === 0
  const stream = isEmpty || body ? null : await open(range).catch(orNotFound)
  response.writeHead(part ? 206 : 200, { ...shared, ...part, 'Content-Length': length })
  if (isEmpty) return void response.end()
  if (stream) return sendStream(response, stream, onSent)
  if (body) sendBuffer(response, body.subarray(range.startByte, range.endByte + 1), onSent)
}

/** The error for an object that does not exist. */
export const notFound = (): PlayerError =>
  new PlayerError(404, 'not_found', 'There is nothing at this address.')

/** The object may have been deleted since it was looked up. */
function orNotFound(error: unknown): never {
  throw error instanceof ObjectNotFoundError ? notFound() : error
}

/** If-None-Match uses the weak comparison. */
const isKnown = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(',').some((text) => ['*', etag].includes(text.trim().replace(/^W\//, '')))

/** A Range only applies to GET, and with If-Range only if the object is unchanged. */
function rangeOf(request: IncomingMessage, etag: string, sizeBytes: number) {
  const ifRange = request.headers['if-range']
  if (request.method !== 'GET' || (ifRange !== undefined && ifRange !== etag)) return null
  return parseRange(request.headers.range, sizeBytes)
}

/**
 * Parses a Range header for an object of `sizeBytes` (RFC 9110, section 14). Both ends are inclusive.
 * Returns null if the header is missing or is not a single byte range: a server may ignore it then.
 */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes)
    return length === 0
      ? 'unsatisfiable'
      : { startByte: sizeBytes - length, endByte: sizeBytes - 1 }
  }
  const startByte = Number(first)
  const endByte = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (last !== '' && Number(last) < startByte) return null
  return startByte >= sizeBytes ? 'unsatisfiable' : { startByte, endByte }
}

/**
 * Precision with which an aborted response is counted. Parts of half the size would reduce a core's
 * throughput by a sixth, measured with segments of 1 MB.
 */
const PART_BYTES = 256 * 1024

/** Called with the number of bytes that the operating system has accepted. */
type OnSent = (bytes: number) => void

/** Sends a buffer in parts, each after the one before it, and ends the response. */
function sendBuffer(response: ServerResponse, body: Buffer, onSent: OnSent): void {
  let offset = 0
  const next = (): void => {
    const part = body.subarray(offset, offset + PART_BYTES)
    offset += part.length
    const isLast = offset >= body.length
    const done = (error?: Error | null): void => {
      if (error) return
      onSent(part.length)
      if (!isLast) next()
    }
    if (isLast) response.end(part, done)
    else response.write(part, done)
  }
  next()
}

/** Sends a stream and ends the response. Destroys the stream if the viewer leaves. */
async function sendStream(
  response: ServerResponse,
  stream: Readable,
  onSent: OnSent,
): Promise<void> {
  response.once('close', () => stream.destroy())
  // If the viewer left while the stream was opened, `close` was already emitted.
  if (response.destroyed) return void stream.destroy()
  const chunks: AsyncIterable<Buffer> = stream
  try {
    for await (const chunk of chunks) {
      if (!(await write(response, chunk))) return
      onSent(chunk.length)
    }
  } catch (error) {
    if (response.destroyed) return
    throw error
  }
  response.end()
}

/** Resolves to false if the viewer has left, which is not an error. */
const write = (response: ServerResponse, chunk: Buffer): Promise<boolean> =>
  new Promise((resolve) => {
    response.write(chunk, (error) => resolve(!error))
  })
