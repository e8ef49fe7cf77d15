import {
  ActivityFailure,
  ChildWorkflowFailure,
  ContinueAsNew,
  isCancellation,
  log,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow'
import { describeFault } from '../domain/describe-fault.ts'

/** Logs the code and the sentence of each workflow that fails. Changes no command, so histories replay. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      async execute(input, next) {
        try {
          return await next(input)
        } catch (error) {
          if (!isCancellation(error) && !(error instanceof ContinueAsNew)) logFailure(error)
          throw error
        }
      },
    },
  ],
})

function logFailure(error: unknown): void {
  const { type, message } = describeFault(reasonOf(error))
  log.warn('Workflow failed', { error: { type, message } })
}

/** The failure inside those of activities and child workflows, which only say that one failed. */
function reasonOf(error: unknown): unknown {
  const isOuter = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure
  return isOuter && error.cause ? reasonOf(error.cause) : error
}
