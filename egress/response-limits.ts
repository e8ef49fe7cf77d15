import { Transform, type Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { EgressError, toEgressError } from './egress-error.ts'

/** Limit before the response. Headers and a few interim responses (such as 103) need far less. */
const HEAD_MAX_BYTES = 64 * 1024
/**
 * A chunk of one byte takes six bytes on the wire; a server that needs more sends no useful body.
 */
const WIRE_BYTES_PER_BODY_BYTE = 8

/** Limits the decrypted bytes that a server may send in total. */
export interface WireLimit {
  /** Allows a body of at most `maxBytes`. Call it when the headers have arrived. */
  expectBody(maxBytes: number): void
}

/**
 * Destroys the socket with an EgressError when the server has sent more than a response can require.
 * The parser limits what it keeps, not what it skips: endless interim responses, reason phrases,
 * empty lines and chunk extensions would keep a core busy until the deadline. Call it before the
 * socket is read.
 */
export function limitWire(socket: TLSSocket): WireLimit {
  let maxBytes = HEAD_MAX_BYTES
  let error = new EgressError('headers_too_large', 'The server sent too much before its response.')
  const check = () => {
    if (socket.bytesRead > maxBytes) socket.destroy(error)
  }
  socket.on('readable', () => {
    // Deferred, because the headers can arrive together with the start of a large body.
    if (socket.bytesRead > maxBytes) setImmediate(check)
  })
  return {
    expectBody(bodyMaxBytes) {
      maxBytes += bodyMaxBytes * WIRE_BYTES_PER_BODY_BYTE
      error = new EgressError(
        'protocol_error',
        'The server sent far more than its response contains.',
      )
    },
  }
}

/**
 * Limits a response body to `maxBytes`, after which it fails with an EgressError
 * `response_too_large`; all other failures are EgressErrors too. Calls `onDone` when the last byte
 * has arrived and when the returned body closes; after the first call, the connection is not needed.
 * An unread body causes no unhandled error.
 */
export function limitBody(source: Readable, maxBytes: number, onDone: () => void): Readable {
  let receivedBytes = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      receivedBytes += chunk.length
      if (receivedBytes <= maxBytes) done(null, chunk)
      else done(new EgressError('response_too_large', 'The response is larger than is allowed.'))
    },
  })
  const fail = (error: unknown) => body.destroy(toEgressError(error))
  source.once('end', onDone).on('error', fail)
  body
    .on('error', () => {})
    .once('close', () => {
      source.destroy()
      onDone()
    })
  if (source.errored) fail(source.errored)
  return source.pipe(body)
}
