import { context, SpanKind, trace, TraceFlags } from '@opentelemetry/api'
import type { WorkflowClientInterceptor } from '@temporalio/client'
import { defaultPayloadConverter, type Headers } from '@temporalio/common'
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker'
import {
  fromTraceParent,
  toTraceParent,
  TRACE_HEADER,
  type TraceSinks,
} from '../domain/trace-context.ts'
import { contextBelow, failSpan, inSpan, tracer } from './spans.ts'
import { withIds } from './trace-ids.ts'

/** Gives the current span, if it is sampled, to the workflow that a client starts. */
export const traceStarts: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
  signalWithStart: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
}

function withTrace(headers: Headers): Headers {
  const span = trace.getSpanContext(context.active())
  if (span === undefined || (span.traceFlags & TraceFlags.SAMPLED) === 0) return headers
  return { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(toTraceParent(span)) }
}

/** Gives each attempt of an activity a span below that of its workflow, if the workflow has one. */
const traceActivities: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute(input, next) {
      const { [TRACE_HEADER]: header } = input.headers
      const parent = header && fromTraceParent(defaultPayloadConverter.fromPayload(header))
      if (!parent) return next(input)
      const span = {
        name: info.activityType,
        kind: SpanKind.CONSUMER,
        parent: contextBelow(parent),
        attributes: {
          'temporal.workflow_id': info.workflowExecution?.workflowId,
          'temporal.activity_id': info.activityId,
          'temporal.task_queue': info.taskQueue,
          'temporal.attempt': info.attempt,
        },
      }
      return inSpan(span, () => next(input))
    },
  },
})

/** Receives the runs of workflows that have ended. A run whose worker was killed may come twice, under one id. */
const traceSinks: InjectedSinks<TraceSinks> = {
  traces: {
    runEnded: {
      callDuringReplay: false,
      fn(info, { ids, parent, endedAtMs, outcome }) {
        const options = {
          kind: SpanKind.CONSUMER,
          startTime: info.runStartTime,
          attributes: {
            'temporal.workflow_id': info.workflowId,
            'temporal.run_id': info.runId,
            'temporal.task_queue': info.taskQueue,
            'temporal.outcome': outcome,
          },
        }
        const below = contextBelow(parent)
        const start = () => tracer().startSpan(info.workflowType, options, below)
        const span = withIds(ids, start)
        if (outcome === 'failed') failSpan(span, 'workflow_failed')
        span.end(endedAtMs)
      },
    },
  },
}

/** What each worker adds to its options. */
export const WORKER_TRACING = {
  interceptors: { activity: [traceActivities] },
  sinks: traceSinks,
}
