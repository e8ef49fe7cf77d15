import type { TLSSocket } from 'node:tls'
import { EgressError } from './egress-error.ts'

/** Before the answer: its own headers and a few interim answers (103, say) fit many times over. */
const HEAD_MAX_BYTES = 64 * 1024
/** A chunk of one byte takes six on the wire; more than that for each byte is no body, but noise. */
const WIRE_BYTES_PER_BODY_BYTE = 8

/** Bounds what a server may send in all, decrypted, whatever the parser makes of it. */
export interface WireLimit {
  /** The headers are there: from now on a body of at most so many bytes may follow. */
  expectBody(maxBytes: number): void
}

/**
 * Destroys the socket with an EgressError once the server has sent more than an answer can need. The
 * parser bounds what it keeps, not what it skips: interim answers, reason phrases, empty lines and chunk
 * extensions without end would keep a core busy until the deadline. Call it before anything reads.
 */
export function limitWire(socket: TLSSocket): WireLimit {
  let maxBytes = HEAD_MAX_BYTES
  let error = new EgressError('headers_too_large', 'The server sent too much before its answer.')
  const judge = () => {
    if (socket.bytesRead > maxBytes) socket.destroy(error)
  }
  socket.on('readable', () => {
    // Later: the start of a large body may come in one piece with the headers that allow it.
    if (socket.bytesRead > maxBytes) setImmediate(judge)
  })
  return {
    expectBody(bodyMaxBytes) {
      maxBytes += bodyMaxBytes * WIRE_BYTES_PER_BODY_BYTE
      error = new EgressError('protocol_error', 'The server sent far more than its answer holds.')
    },
  }
}
