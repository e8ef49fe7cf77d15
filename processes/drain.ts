import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { RETRY_AFTER_SECONDS, type Readiness } from './readiness.ts'

/** An app whose clients can be sent to other processes before its server closes. */
export interface Drain {
  listener: RequestListener
  /** Makes `GET /readyz` respond with 503, and each response, also one in progress, close its connection. */
  begin(): void
}

const READINESS_PATH = /^\/readyz\/?(?:\?|$)/i
const STOPPING: Readiness = {
  status: 'unavailable',
  parts: { process: { status: 'unavailable', reason: 'is stopping' } },
}

/** Wraps an app. Until `begin`, its responses are those of the app. */
export function createDrain(app: RequestListener): Drain {
  const inProgress = new Set<ServerResponse>()
  let isDraining = false
  return {
    listener(request: IncomingMessage, response: ServerResponse) {
      inProgress.add(response)
      response.once('close', () => inProgress.delete(response))
      if (isDraining) closeAfter(response)
      if (isDraining && READINESS_PATH.test(request.url ?? '')) sendStopping(response)
      else app(request, response)
    },
    begin() {
      isDraining = true
      for (const response of inProgress) closeAfter(response)
    },
  }
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

function sendStopping(response: ServerResponse): void {
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Retry-After': String(RETRY_AFTER_SECONDS),
  })
  response.end(JSON.stringify(STOPPING))
}
