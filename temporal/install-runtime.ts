import { once } from 'node:events'
import { createServer } from 'node:net'
import { Runtime, type RuntimeOptions } from '@temporalio/worker'

/** Another program may take a port between its choice and its use. */
const ATTEMPTS_MAX = 3

/** The lines of the SDK's native part come as those of its other parts do, in JSON. */
const LOGGING = { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } as const

/** Installs the runtime of this process's workers. */
export const installRuntime = (options: RuntimeOptions): void =>
  void Runtime.install({ ...options, telemetryOptions: { logging: LOGGING } })

/**
 * Installs the runtime of this process's workers with metrics, under the names that Prometheus asks for: seconds, and
 * counters with `_total`. Its server listens at the loopback interface alone; the returned function reads it.
 */
export async function installRuntimeWithMetrics(
  options: RuntimeOptions,
): Promise<() => Promise<string>> {
  for (let attempt = 1; ; attempt += 1) {
    const bindAddress = `127.0.0.1:${await anyPort()}`
    const names = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true }
    const telemetryOptions = {
      logging: LOGGING,
      metrics: { prometheus: { bindAddress, ...names } },
    }
    try {
      Runtime.install({ ...options, telemetryOptions })
      return async () => (await fetch(`http://${bindAddress}/metrics`)).text()
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error
    }
  }
}

/** The runtime cannot say which port it got if it asks for any. */
async function anyPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
