import { afterAll, beforeAll } from '@jest/globals'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import type { WorkerOptions } from '@temporalio/worker'
import { bundledWorkflows, timeSkippingServerPath } from './services.ts'

/** A server that skips time, with a worker of `taskQueue`; the field is there once the tests run. */
export function setUpTimeSkippingFixture(
  taskQueue: string,
  activities: NonNullable<WorkerOptions['activities']>,
): { environment: TestWorkflowEnvironment } {
  const tests = {} as { environment: TestWorkflowEnvironment }
  let worker: Worker
  let running: Promise<void>
  beforeAll(async () => {
    const logger = new DefaultLogger('ERROR')
    Runtime.install({ logger })
    const workflowBundle = await bundledWorkflows()
    tests.environment = await openTimeSkipping()
    const connection = tests.environment.nativeConnection
    worker = await Worker.create({ connection, taskQueue, workflowBundle, activities })
    running = worker.run()
  })
  afterAll(async () => {
    worker.shutdown()
    await running
    await tests.environment.teardown()
  })
  return tests
}

const STARTS = 4

/** Starts the server, again where a loaded machine does not have it ready within the SDK's five seconds. */
export async function openTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const path = await timeSkippingServerPath()
  for (let start = 1; ; start += 1)
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({
        server: { executable: { type: 'existing-path', path } },
      })
    } catch (error) {
      if (start === STARTS) throw error
    }
}
