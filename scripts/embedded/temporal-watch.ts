import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@temporalio/client'
import type { TemporalServer } from './temporal.ts'

const EVERY_MS = 5_000
/** Long, so that a machine with too much to do is not taken for a server that cannot go on. */
const ANSWER_MS = 30_000
const IN_A_ROW = 3

/** How the server's SQLite driver says that its connection was interrupted. */
const INTERRUPTED = /interrupted \(9\)/

/**
 * Ends the embedded server, so that whoever keeps it starts it again, once its store refuses every
 * query. A call that is given up in mid-query makes the driver interrupt the only connection to
 * SQLite; where another statement is open on it at that moment it stays interrupted for good, and
 * the process lives on and calls itself healthy. Seen where calls ran into their deadlines because
 * the machine had too much to do. What was committed is in the file. Returns at once.
 */
export function endOnceStuck(
  { address, child }: Pick<TemporalServer, 'address' | 'child'>,
  tell: (line: string) => void,
  everyMs = EVERY_MS,
): void {
  const watch = async (): Promise<void> => {
    for (let inARow = 0; inARow < IN_A_ROW;) {
      await Promise.race([sleep(everyMs, undefined, { ref: false }), child.ended])
      if (child.end() !== null) return
      inARow = (await isInterrupted(address)) ? inARow + 1 : 0
    }
    tell('Temporal cannot read its store any more: ending it')
    await child.stop()
  }
  void watch()
}

async function isInterrupted(address: string): Promise<boolean> {
  // Without the interceptor that repeats a call which was refused like that.
  const connection = Connection.lazy({ address, interceptors: [] })
  try {
    await connection.withDeadline(Date.now() + ANSWER_MS, () =>
      // Of the cheap calls the one that reads the store, whatever the server remembers.
      connection.workflowService.describeNamespace({ namespace: 'default' }),
    )
    return false
  } catch (error) {
    return INTERRUPTED.test(String(error))
  } finally {
    await connection.close()
  }
}
