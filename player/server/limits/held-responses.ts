import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long a limited request waits for its response: on average a second, so that those of a flood are spread. */
const holdMs = (): number => 500 + Math.random() * 1000
/** Further responses are sent at once, so that a flood holds a bounded amount of memory. */
const HELD_MAX = 2000

/** Sends the response of a limited request, with further headers. */
export type SendLimited = (headers: Record<string, string>) => void

/** Responses to limited requests, which are sent late: a client that floods waits, and this process has less work. */
export interface HeldResponses {
  /** True if the connection ends with a response that is held: further requests on it are not read (RFC 9112, section 9.6). */
  isEnding: (request: IncomingMessage) => boolean
  /** Calls `send` after about a second. Calls it at once if a response of the connection is held, or too many are. */
  hold: (response: ServerResponse, send: SendLimited) => void
}

/** A connection that comes from no proxy is one client's, and ends with its limited response. */
export function createHeldResponses(trustedProxies: number): HeldResponses {
  const isDirect = trustedProxies === 0
  const headers = isDirect ? { Connection: 'close' } : {}
  const holding = new WeakSet<Socket>()
  let held = 0
  return {
    isEnding: ({ socket }) => isDirect && holding.has(socket),
    hold(response, send) {
      const { socket } = response.req
      if (response.closed) return
      if (held >= HELD_MAX || holding.has(socket)) return send({})
      held += 1
      holding.add(socket)
      // Node resumes reading when this request has ended.
      if (isDirect) setImmediate(() => socket.pause())
      const timer = setTimeout(() => {
        if (!isDirect) holding.delete(socket)
        send(headers)
      }, holdMs())
      response.once('close', () => {
        clearTimeout(timer)
        held -= 1
      })
    },
  }
}
