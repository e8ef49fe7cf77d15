import type { ConnectionOptions } from '@temporalio/client'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker, type WorkerOptions } from '@temporalio/worker'
import { afterAll, beforeAll } from 'vitest'
import { WORKER_TRACING } from '../../tracing/temporal-interceptors.ts'
import { installQuietRuntime } from './quiet-runtime.ts'
import { bundledWorkflows, timeSkippingServerPath } from './services.ts'

/** Starts a server that skips time, and a worker of `taskQueue`; the field is set before the tests run. */
export function setUpTimeSkippingFixture(
  taskQueue: string,
  activities: NonNullable<WorkerOptions['activities']>,
): { environment: TestWorkflowEnvironment } {
  const tests = {} as { environment: TestWorkflowEnvironment }
  let worker: Worker
  let running: Promise<void>
  beforeAll(async () => {
    installQuietRuntime()
    const workflowBundle = await bundledWorkflows()
    tests.environment = await openTimeSkipping()
    const connection = tests.environment.nativeConnection
    worker = await Worker.create({
      connection,
      taskQueue,
      workflowBundle,
      activities,
      ...WORKER_TRACING,
    })
    running = worker.run()
  })
  afterAll(async () => {
    worker.shutdown()
    await running
    await tests.environment.teardown()
  })
  return tests
}

const STARTS = 10

/**
 * Each call is made once. A repetition by the SDK that is due after the end of a file, as of a result that a failed test
 * has left, would throw in the next file: its connection is closed.
 */
const ONE_CALL = {
  name: 'one call',
  configureConnection: (options: ConnectionOptions) => ({ ...options, interceptors: [] }),
}

/** Starts the server. Repeats the start if a loaded machine takes longer than the five seconds of the SDK. */
export async function openTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const path = await timeSkippingServerPath()
  for (let start = 1; ; start += 1)
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({
        server: { executable: { type: 'existing-path', path } },
        plugins: [ONE_CALL],
      })
    } catch (error) {
      if (start === STARTS) throw error
    }
}
