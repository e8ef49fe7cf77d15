import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './embedded/child.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
const HEALTHY_AFTER_MS = 60_000

/** A process that is restarted whenever it ends. */
export interface Supervised {
  /** Stops the process without a restart. */
  stop(): Promise<void>
}

/**
 * Starts a process and restarts it whenever it ends, with a growing pause in between. Rejects if the
 * first start fails. `tell` receives a line for each restart.
 */
export async function supervise(
  name: string,
  start: () => Promise<Child>,
  tell: (line: string) => void,
): Promise<Supervised> {
  const stopping = new AbortController()
  let child = await start()
  const watch = async () => {
    let pauseMs = FIRST_PAUSE_MS
    for (;;) {
      const startedAt = Date.now()
      const end = await child.ended
      if (stopping.signal.aborted) return
      if (Date.now() - startedAt > HEALTHY_AFTER_MS) pauseMs = FIRST_PAUSE_MS
      tell(`${name} ended with ${end}: starting it again in ${pauseMs / 1000} s`)
      await pause(pauseMs, stopping.signal)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      if (stopping.signal.aborted) return
      child = await start().catch((error: Error): Child => failed(error))
      // The stop has met the process before this one.
      if (stopping.signal.aborted) return child.stop()
    }
  }
  const watching = watch()
  return {
    stop: async () => {
      stopping.abort()
      await child.stop()
      await watching
    },
  }
}

// A failed start counts as a process that ended immediately, so the next attempt follows.
function failed(error: Error): Child {
  return {
    pid: 0,
    ended: Promise.resolve(error.message),
    end: () => error.message,
    lastLines: () => error.message,
    hasWrittenReady: () => false,
    stop: () => Promise.resolve(),
  }
}

async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  await sleep(durationMs, undefined, { signal }).catch(() => {})
}
