import { IllegalStateError } from '@temporalio/common'
import { DefaultLogger, Runtime } from '@temporalio/worker'

/** Installs a Temporal runtime that logs errors only, unless a test file that ran before in this process did. */
export function installQuietRuntime(): void {
  try {
    Runtime.install({ logger: new DefaultLogger('ERROR') })
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error
  }
}
