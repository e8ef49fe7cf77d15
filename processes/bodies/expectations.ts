import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { hasBody } from './has-body.ts'

/** Requests whose client waits for 100 Continue before it sends the body (RFC 9110, section 10.1.1). */
const waiting = new WeakSet<IncomingMessage>()

/** How long the rest of a request is drained after its response, so that the client can read it. */
const DRAIN_MAX_MS = 30_000

/**
 * Leaves 100 Continue to `continueIfExpected`: Node would send it before the app has seen the request, and the client
 * would then send a body that is refused. Drains requests that go on after their response, for at most 30 s.
 */
export function deferBodies(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request)
    server.emit('request', request, response)
  })
  // Before the app, which may respond at once.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    response.once('prefinish', () => {
      if (!request.complete) drain(request)
    })
  })
}

/** Asks the client for the body if it waits. */
export function continueIfExpected(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue()
}

/**
 * Ends only the sending side of a connection that closes with the response. Node would close both, and a client that
 * still sends would get a reset in place of the response.
 */
function drain(request: IncomingMessage): void {
  const { socket } = request
  socket.destroySoon = () => void socket.end()
  const timer = setTimeout(() => socket.destroy(), DRAIN_MAX_MS).unref()
  request.once('close', () => {
    clearTimeout(timer)
    // Node's own, for the next request of the connection.
    Reflect.deleteProperty(socket, 'destroySoon')
    if (socket.writableEnded) socket.destroy()
  })
}
