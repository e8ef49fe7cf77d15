import { MockActivityEnvironment } from '@temporalio/testing'
import { pino } from 'pino'
import { createSdkLogger } from '../../temporal/sdk-logger.ts'

/** Runs an activity that fails, and returns the lines that its worker writes. */
export async function linesOfFailure<Input>(
  info: { activityType: string; workflowId: string; taskQueue?: string },
  activity: (input: Input) => Promise<unknown>,
  input: Input,
): Promise<string[]> {
  const { activityType, workflowId, taskQueue = 'ingest' } = info
  const lines: string[] = []
  const logger = createSdkLogger(pino({}, { write: (line: string) => void lines.push(line) }))
  const workflowExecution = { workflowId, runId: crypto.randomUUID() }
  const environment = new MockActivityEnvironment(
    { activityType, taskQueue, workflowExecution },
    { logger },
  )
  await environment.run(activity, input).catch(() => undefined)
  return lines
}
