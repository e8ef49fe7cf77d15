import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { deferBodies } from './bodies/expectations.ts'
import { refuseUnreadable, type RefusalBody } from './unreadable-requests.ts'

/** For the head of a request, as Node's own limit where the whole request has one. */
const HEAD_TIMEOUT_MS = 60_000
/** As long as nginx's `send_timeout`. */
const UNREAD_TIMEOUT_MS = 60_000

interface ServerOptions {
  logger: Logger
  /** How long a request may take to arrive; 0 for no limit. Five minutes by default. */
  requestTimeoutMs?: number | undefined
  /**
   * How long the connection of a running request may be without a byte in either direction before it ends; 0, the default, for
   * no limit. The system takes bytes of a response in larger steps, so a client that reads nothing goes within twice that time.
   */
  stallTimeoutMs?: number | undefined
  /**
   * The same for a response of which the client only has to read the rest, in a server without `stallTimeoutMs`. A minute
   * by default.
   */
  unreadTimeoutMs?: number
  /** The form of the server's errors. */
  refusalBody: RefusalBody
}

/**
 * Creates the server of an app, which refuses bodies by the head of their request and does not leave the client of a
 * refused request without a word. The app checks heads with `headFaultOf`.
 */
export function createHttpServer(
  app: RequestListener,
  {
    logger,
    requestTimeoutMs = 300_000,
    stallTimeoutMs = 0,
    unreadTimeoutMs = UNREAD_TIMEOUT_MS,
    refusalBody,
  }: ServerOptions,
): Server {
  const options = {
    // Node would respond to a request without Host without a body.
    requireHostHeader: false,
    requestTimeout: requestTimeoutMs,
    // Without a limit for the request, Node has none for its head: connections that send nothing would stay.
    headersTimeout: HEAD_TIMEOUT_MS,
  }
  const server = createServer(options, app)
  if (stallTimeoutMs > 0) server.timeout = stallTimeoutMs
  else limitUnread(server, unreadTimeoutMs)
  deferBodies(server)
  refuseUnreadable(server, refusalBody, logger)
  return server
}

/** Only once a response is whole: one that is waited for, such as that to an upload, sends nothing for long. */
function limitUnread(server: Server, timeoutMs: number): void {
  // Before the app, which may respond at once.
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.once('prefinish', () => response.setTimeout(timeoutMs))
  })
}
