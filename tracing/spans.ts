import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api'
import { spanOfRequest, type SpanIds } from '../domain/trace-context.ts'
import { withIds } from './trace-ids.ts'

/** Creates spans that do nothing until `startTracing` has installed a provider. */
export const tracer = () => trace.getTracer('reelgate')

interface SpanFacts {
  name: string
  kind: SpanKind
  attributes: Attributes
  /** The current span by default. */
  parent?: Context
}

/**
 * Runs `work` in a span. The span fails with `work`, whose error is recorded by its code or name only: messages may
 * contain addresses that integrators chose.
 */
export function inSpan<T>(facts: SpanFacts, work: (span: Span) => Promise<T>): Promise<T> {
  const { name, kind, attributes, parent = context.active() } = facts
  return tracer().startActiveSpan(name, { kind, attributes }, parent, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      failSpan(span, errorType(error))
      throw error
    } finally {
      span.end()
    }
  })
}

/** Marks a span as failed, with the kind of its error. */
export function failSpan(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** The code or type of an error if it has one, otherwise its name. */
function errorType(error: unknown): string {
  const { code, type, name } = (error ?? {}) as { code?: unknown; type?: unknown; name?: unknown }
  const found = [code, type, name].find((one) => typeof one === 'string' && one !== '')
  return typeof found === 'string' ? found : 'unknown'
}

/**
 * The context below a span of another process; the root if there is none. Its flag says that the trace is sampled, but
 * decides nothing: each process decides by the trace id.
 */
export function contextBelow(ids: SpanIds | null): Context {
  if (ids === null) return ROOT_CONTEXT
  const parent = { ...ids, traceFlags: TraceFlags.SAMPLED, isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, parent)
}

/** Starts the span of a request at a server, under the ids that its request id implies. */
export function startRequestSpan(requestId: string, method: string): Span {
  const attributes = { 'http.request.method': method }
  const start = () =>
    tracer().startSpan('request', { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT)
  const ids = spanOfRequest(requestId)
  return ids === null ? start() : withIds(ids, start)
}

interface EndedRequest {
  operationId: string | undefined
  routePattern: string | null
  /** Null if the client disconnected before the response began. */
  status: number | null
  accountId: number | undefined
}

/** Ends the span of a request. It names the operation or the pattern of the route, never the address. */
export function endRequestSpan(span: Span, request: EndedRequest): void {
  if (!span.isRecording()) return
  const { operationId, routePattern, status, accountId } = request
  span.updateName(operationId ?? routePattern ?? 'no route')
  if (routePattern !== null) span.setAttribute('http.route', routePattern)
  if (accountId !== undefined) span.setAttribute('reelgate.account_id', accountId)
  if (status !== null) span.setAttribute('http.response.status_code', status)
  if (status !== null && status >= 500) failSpan(span, String(status))
  span.end()
}
