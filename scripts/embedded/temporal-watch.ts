import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@temporalio/client'
import type { TemporalServer } from './temporal.ts'

const INTERVAL_MS = 5_000
/** Long, so that an overloaded machine does not look like a stuck server. */
const RESPONSE_TIMEOUT_MS = 30_000
const CONSECUTIVE_FAILURES = 3

/** The SQLite driver's message for an interrupted connection. */
const INTERRUPTED = /interrupted \(9\)/

/**
 * Ends the embedded server when its store refuses every query, so that the supervisor restarts it. A
 * call that is cancelled during a query makes the driver interrupt the only connection to SQLite. If
 * another statement is open at that moment, the connection stays interrupted, while the process keeps
 * running and reports itself healthy. This was seen on overloaded machines, where calls ran into
 * their deadlines. Committed data is safe in the file. Returns immediately and keeps watching.
 */
export function endIfStuck(
  { address, child }: Pick<TemporalServer, 'address' | 'child'>,
  tell: (line: string) => void,
  intervalMs = INTERVAL_MS,
): void {
  const watch = async (): Promise<void> => {
    for (let failures = 0; failures < CONSECUTIVE_FAILURES;) {
      await Promise.race([sleep(intervalMs, undefined, { ref: false }), child.ended])
      if (child.end() !== null) return
      failures = (await isInterrupted(address)) ? failures + 1 : 0
    }
    tell('Temporal cannot read its store: ending it')
    await child.stop()
  }
  void watch()
}

async function isInterrupted(address: string): Promise<boolean> {
  // Without the default interceptor, which would retry the refused call.
  const connection = Connection.lazy({ address, interceptors: [] })
  try {
    await connection.withDeadline(Date.now() + RESPONSE_TIMEOUT_MS, () =>
      // A cheap call that always reads the store instead of a cache.
      connection.workflowService.describeNamespace({ namespace: 'default' }),
    )
    return false
  } catch (error) {
    return INTERRUPTED.test(String(error))
  } finally {
    await connection.close()
  }
}
