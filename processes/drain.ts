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
  const inProgress = createSlots<ServerResponse>()
  let isDraining = false
  return {
    listener(request: IncomingMessage, response: ServerResponse) {
      const release = inProgress.hold(response)
      response.once('close', release)
      if (isDraining) closeAfter(response)
      if (isDraining && READINESS_PATH.test(request.url ?? '')) sendStopping(response)
      else app(request, response)
    },
    begin() {
      isDraining = true
      for (const response of inProgress.all()) closeAfter(response)
    },
  }
}

/**
 * Holds items until they are released. A Set that changes with each request replaces its table again and again, and in V8
 * a former table keeps what it held until the next full collection: 7 kB of each embed page, and a tenth of its time.
 */
function createSlots<T>() {
  const slots: (T | null)[] = []
  const free: number[] = []
  return {
    hold(item: T): () => void {
      const slot = free.pop() ?? slots.length
      slots[slot] = item
      return () => {
        slots[slot] = null
        free.push(slot)
      }
    },
    all: (): T[] => slots.filter((item) => item !== null),
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
