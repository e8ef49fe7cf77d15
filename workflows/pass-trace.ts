import {
  ContinueAsNew,
  defaultPayloadConverter,
  isCancellation,
  proxySinks,
  workflowInfo,
  type Headers,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow'
import {
  fromTraceParent,
  spanIdOfRun,
  toTraceParent,
  TRACE_HEADER,
  type EndedRun,
  type SpanIds,
  type TraceSinks,
} from '../domain/trace-context.ts'

const { traces } = proxySinks<TraceSinks>()

/**
 * Gives each run of a workflow a span below the one that its header names, and passes the trace to its activities,
 * child workflows and next run. Without the header, a workflow runs as it would without interceptors: those that began
 * before there were traces, those of Schedules, and all while no traces are sent.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let own: SpanIds | null = null
  const pass = <Input extends { headers: Headers }>(input: Input): Input =>
    own === null ? input : { ...input, headers: { ...input.headers, ...toHeaders(own) } }
  return {
    inbound: [
      {
        execute(input, next) {
          const parent = parentOf(input.headers)
          const spanId = spanIdOfRun(workflowInfo().runId)
          if (parent === null || spanId === null) return next(input)
          own = { traceId: parent.traceId, spanId }
          return reportEnd({ ids: own, parent }, () => next(input))
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(pass(input)),
        scheduleLocalActivity: (input, next) => next(pass(input)),
        startChildWorkflowExecution: (input, next) => next(pass(input)),
        continueAsNew: (input, next) => next(pass(input)),
      },
    ],
  }
}

async function reportEnd<T>(
  run: Pick<EndedRun, 'ids' | 'parent'>,
  work: () => Promise<T>,
): Promise<T> {
  let outcome: EndedRun['outcome'] = 'completed'
  try {
    return await work()
  } catch (error) {
    outcome = toOutcome(error)
    throw error
  } finally {
    traces.runEnded({ ...run, endedAtMs: Date.now(), outcome })
  }
}

function toOutcome(error: unknown): EndedRun['outcome'] {
  if (error instanceof ContinueAsNew) return 'continued'
  return isCancellation(error) ? 'cancelled' : 'failed'
}

const toHeaders = (span: SpanIds): Headers => ({
  [TRACE_HEADER]: defaultPayloadConverter.toPayload(toTraceParent(span)),
})

/** A header that cannot be read must not fail the workflow. */
function parentOf({ [TRACE_HEADER]: payload }: Headers): SpanIds | null {
  try {
    return payload ? fromTraceParent(defaultPayloadConverter.fromPayload(payload)) : null
  } catch {
    return null
  }
}
