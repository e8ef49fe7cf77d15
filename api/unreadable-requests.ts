import type { Server, ServerOptions } from 'node:http'
import type { Logger } from 'pino'
import { newRequestId } from '../processes/request-log.ts'
import { ApiError, errorBody } from './api-error.ts'

/** Passes requests without Host to the app; Node would answer them without a body (`middleware/http-rules.ts`). */
export const SERVER_OPTIONS: ServerOptions = { requireHostHeader: false }

/**
 * Answers requests that Node's HTTP parser refuses with the error body, a Request-Id and a line in the log: 431 for
 * headers that are too large, 408 for a request that does not end in time, otherwise 400. Passes a request with an
 * Expect that Node does not know to the app.
 */
export function answerUnreadable(server: Server, apiBase: string, logger: Logger): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const status = STATUS[error.code ?? ''] ?? '400 Bad Request'
    const requestId = newRequestId()
    logger.info({ requestId, status: Number.parseInt(status, 10), reason: error.code }, 'request')
    const body = JSON.stringify(errorBody(new ApiError('invalid_request'), requestId, apiBase))
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

const STATUS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}
