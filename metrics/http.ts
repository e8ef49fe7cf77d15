import { counter, histogram } from './registry.ts'

/** Where a budget of the service or a timeout of its users lies. */
const DURATION_BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const httpRequests = counter(
  'reelgate_http_requests_total',
  'Requests that have ended. `operation` is the operationId of the OpenAPI document, otherwise method and route pattern; `none` if no route matched. `status` is `none` if the client disconnected before the response.',
  ['operation', 'status'],
)

export const httpDuration = histogram(
  'reelgate_http_request_duration_seconds',
  'Time from the request to the end of its response. Requests that wait for events take long on purpose.',
  ['operation'],
  DURATION_BUCKETS,
)

/** One request that has ended. */
export interface EndedRequest {
  method: string
  /** The operationId of its operation, if it has one. */
  operationId: string | undefined
  /** The pattern of its route; null if no route matched. */
  routePattern: string | null
  /** Null if the client disconnected before the response began. */
  status: number | null
  durationMs: number
}

const METHOD_NOT_ALLOWED = 405

/** Counts a request. */
export function countRequest(request: EndedRequest): void {
  const operation = operationOf(request)
  httpRequests.inc({ operation, status: String(request.status ?? 'none') })
  httpDuration.observe({ operation }, request.durationMs / 1000)
}

// The route that responds with 405 accepts every method that HTTP knows.
function operationOf({ method, operationId, routePattern, status }: EndedRequest): string {
  if (operationId !== undefined) return operationId
  if (routePattern === null || status === METHOD_NOT_ALLOWED) return 'none'
  return `${method} ${routePattern}`
}
