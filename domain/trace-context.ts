/** The Temporal header that carries the trace of a request into its workflows and activities. */
export const TRACE_HEADER = 'traceparent'

/** A span and the trace that it belongs to. */
export interface SpanIds {
  /** 32 characters of lowercase hex. */
  traceId: string
  /** 16 characters of lowercase hex. */
  spanId: string
}

const SAMPLED_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/

/** Returns the value of TRACE_HEADER (W3C Trace Context) below which the receiver's spans belong. */
export const toTraceParent = ({ traceId, spanId }: SpanIds): string => `00-${traceId}-${spanId}-01`

/** Returns the span that a value of TRACE_HEADER names; null if the value has another form. */
export function fromTraceParent(value: unknown): SpanIds | null {
  const [, traceId, spanId] = (typeof value === 'string' && SAMPLED_PARENT.exec(value)) || []
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId }
}

const REQUEST_ID = /^req_([0-9a-f]{32})$/

/**
 * Returns the trace of a request and the span of its server; null if the id has another form. Every process derives
 * the same ids, so what records the request id (ADR 0019) also records the trace.
 */
export function spanOfRequest(requestId: string | null): SpanIds | null {
  const [, traceId] = REQUEST_ID.exec(requestId ?? '') ?? []
  return traceId === undefined ? null : { traceId, spanId: traceId.slice(16) }
}

const RUN_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns the id of the span of a workflow run; null if the run id is not a UUID. It needs no random number, which
 * would change those of the workflow, and no state: activities can name the span before it is sent.
 */
export const spanIdOfRun = (runId: string): string | null =>
  RUN_ID.test(runId) ? runId.replaceAll('-', '').slice(16) : null

/** A run of a workflow that has ended, as one span. */
export interface EndedRun {
  ids: SpanIds
  parent: SpanIds
  endedAtMs: number
  outcome: 'completed' | 'continued' | 'cancelled' | 'failed'
}

/** What the worker offers to workflows. A type, not an interface: Temporal's `Sinks` have an index signature. */
export type TraceSinks = {
  traces: { runEnded: (run: EndedRun) => void }
}
