import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { hasBody } from './has-body.ts'

/** Requests whose client waits for 100 Continue before it sends the body (RFC 9110, section 10.1.1). */
const waiting = new WeakSet<IncomingMessage>()

/** How long the rest of a request is drained after its response, so that the client can read it. */
const DRAIN_MAX_MS = 30_000

/**
 * Leaves 100 Continue to `continueIfExpected`: Node would send it before the app has seen the request, and the client
 * would then send a body that is refused. Ends connections whose request goes on for 30 s after its response.
 */
export function deferBodies(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request)
    server.emit('request', request, response)
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    response.once('finish', () => {
      if (request.complete) return
      const timer = setTimeout(() => request.destroy(), DRAIN_MAX_MS).unref()
      request.once('close', () => clearTimeout(timer))
    })
  })
}

/** Asks the client for the body if it waits. */
export function continueIfExpected(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue()
}
