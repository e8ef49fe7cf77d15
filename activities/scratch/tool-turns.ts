import { availableParallelism } from 'node:os'
import type { MediaWork } from '../../media/run-tool.ts'

const WAITING_REPORT_MS = 5_000
/** Of the whole process: its memory and processors are what they share. */
const PLACES = Math.max(2, availableParallelism())
/** A step that people wait for never waits for one of a backlog, whose tools yield the processor and may take long. */
const turns = { foreground: createTurns(), background: createTurns() }

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
  await turn.take(accountId)
  clearInterval(waiting)
  try {
    signal.throwIfAborted()
    return await run()
  } finally {
    turn.pass()
  }
}

function createTurns() {
  let free = PLACES
  /** The steps that wait, by account; the next account is the first. */
  const waiting = new Map<number, (() => void)[]>()
  return {
    async take(accountId: number): Promise<void> {
      if (free === 0)
        return new Promise((begin) => {
          const steps = waiting.get(accountId) ?? []
          waiting.set(accountId, [...steps, begin])
        })
      free -= 1
    },
    pass(): void {
      for (const [accountId, [begin, ...others]] of waiting) {
        waiting.delete(accountId)
        if (others.length > 0) waiting.set(accountId, others)
        return begin?.()
      }
      free += 1
    },
  }
}
