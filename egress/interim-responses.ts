import type { TLSSocket } from 'node:tls'

/** The start of an interim response; 101 is not one, because the protocol changes after it. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/
const INTERIM_EXAMPLE = 'HTTP/1.1 100 '
const END = '\r\n\r\n'

/**
 * Hides the interim responses before a response from the reader of the socket: undici fails at `100 Continue`, which a
 * server may send unasked, and skips the others itself (RFC 9110, section 15.2). Call it before the socket is read;
 * `limitWire` limits how many there are.
 */
export function skipInterimResponses(socket: TLSSocket): void {
  const read = socket.read.bind(socket)
  let held = ''
  let isDone = false
  socket.read = (sizeBytes?: number) => {
    for (;;) {
      const chunk: unknown = read(sizeBytes)
      if (isDone || !Buffer.isBuffer(chunk)) return chunk
      held = withoutInterims(held + chunk.toString('latin1'))
      if (mayBeInterim(held)) continue
      isDone = true
      return Buffer.from(held, 'latin1')
    }
  }
}

/** Removes the complete interim responses at the beginning. */
function withoutInterims(text: string): string {
  let rest = text
  while (INTERIM.test(rest) && rest.includes(END)) rest = rest.slice(rest.indexOf(END) + END.length)
  return rest
}

/** Whether a text begins with an interim response that is not complete, or may do so with its next characters. */
const mayBeInterim = (text: string): boolean =>
  INTERIM.test(text + INTERIM_EXAMPLE.slice(text.length))
