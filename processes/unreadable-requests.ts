import { maxHeaderSize, type Server } from 'node:http'
import type { Logger } from 'pino'
import { sizeInWords } from './bodies/size-in-words.ts'
import { newRequestId } from './request-log.ts'

/** Returns the body, as JSON, of a response to a request that does not reach the app. */
export type RefusalBody = (message: string, requestId: string) => object

/** For the client to read the refusal and to close its side. Node would keep the other open for ever. */
const CLOSE_TIMEOUT_MS = 5_000

interface Refusal {
  status: string
  message: string
}

/**
 * Responds to requests that Node's HTTP parser refuses with an error body, a Request-Id and a line in the log: 431 for
 * headers that are too large, 408 for a request that does not end in time, otherwise 400. Passes a request with an
 * Expect that Node does not know to the app.
 */
export function refuseUnreadable(server: Server, bodyOf: RefusalBody, logger: Logger): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const { status, message } = REFUSALS[error.code ?? ''] ?? NO_HTTP
    const requestId = newRequestId()
    logger.info({ requestId, status: Number.parseInt(status, 10), reason: error.code }, 'request')
    const body = JSON.stringify(bodyOf(message, requestId))
    const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref()
    socket.once('close', () => clearTimeout(timer))
    socket.end(
      [
        `HTTP/1.1 ${status}`,
        'Connection: close',
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `Request-Id: ${requestId}`,
        '',
        body,
      ].join('\r\n'),
    )
  })
}

const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: `The headers are larger than ${sizeInWords(maxHeaderSize)} together. Send fewer or shorter ones, such as cookies.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    message: 'The request did not arrive in time.',
  },
}

const NO_HTTP: Refusal = {
  status: '400 Bad Request',
  message: 'The request is not valid HTTP/1.1.',
}
