import { createServer, type RequestListener, type Server } from 'node:http'
import type { Logger } from 'pino'
import { deferBodies } from './bodies/expectations.ts'
import { refuseUnreadable, type RefusalBody } from './unreadable-requests.ts'

interface ServerOptions {
  logger: Logger
  /** How long a request may take to arrive; 0 for no limit. Five minutes by default. */
  requestTimeoutMs?: number | undefined
  /**
   * How long the connection of a running request may be without a byte in either direction before it ends; 0, the default, for
   * no limit. The system takes bytes of a response in larger steps, so a client that reads nothing goes within twice that time.
   */
  stallTimeoutMs?: number | undefined
  /** The form of the server's errors. */
  refusalBody: RefusalBody
}

/**
 * Creates the server of an app, which refuses bodies by the head of their request and does not leave the client of a
 * refused request without a word. The app checks heads with `headFaultOf`.
 */
export function createHttpServer(
  app: RequestListener,
  { logger, requestTimeoutMs = 300_000, stallTimeoutMs = 0, refusalBody }: ServerOptions,
): Server {
  // Node would respond to a request without Host without a body.
  const server = createServer({ requireHostHeader: false, requestTimeout: requestTimeoutMs }, app)
  server.timeout = stallTimeoutMs
  deferBodies(server)
  refuseUnreadable(server, refusalBody, logger)
  return server
}
