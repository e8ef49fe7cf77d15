import { availableParallelism } from 'node:os'
import { AccountTurns } from '../../domain/account-turns.ts'
import type { MediaWork } from '../../media/run-tool.ts'

const WAITING_REPORT_MS = 5_000
/** Of the whole process: its memory and processors are what they share. */
const PLACES = Math.max(2, availableParallelism())
/** A step that people wait for never waits for one of a backlog, whose tools yield the processor and may take long. */
const turns = { foreground: new AccountTurns(PLACES), background: new AccountTurns(PLACES) }

/**
 * Calls `run`, which starts media tools, when few others of this process do so. The accounts take turns. The steps of the
 * queue `ingest` have no such limit from Temporal, because most of them wait for the network. Waiting is reported as progress.
 * Throws when the work was cancelled meanwhile.
 */
export async function inToolTurn<T>(
  accountId: number,
  { signal, onProgress, niceness = 0 }: MediaWork,
  run: () => Promise<T>,
): Promise<T> {
  const waiting = setInterval(() => onProgress?.(), WAITING_REPORT_MS)
  const turn = niceness > 0 ? turns.background : turns.foreground
  try {
    return await turn.take(accountId, async () => {
      clearInterval(waiting)
      signal.throwIfAborted()
      return run()
    })
  } finally {
    clearInterval(waiting)
  }
}
