import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '../../../scripts/embedded/child.ts'
import { freeze } from '../../infrastructure/processes.ts'

/** A process of the installation that is started again soon after it ends. */
export interface Part {
  /** kill -9. Returns false if it does not run at the moment. */
  kill(): boolean
  /** Stops it (SIGSTOP) and returns a function that continues it; null if it does not run at the moment. */
  freeze(): (() => void) | null
  /** Ends it permanently. */
  stop: () => Promise<void>
}

/** Much shorter than that of `npm start`, whose pauses grow: most faults must meet a running process. */
const PAUSE_MS = 300

/** Starts a part and keeps it running. Rejects if its first start fails; `tell` gets a line for each later failure. */
export async function keepRunning(
  name: string,
  start: () => Promise<Child>,
  tell: (line: string) => void,
): Promise<Part> {
  let child: Child | null = await start()
  const stopping = new AbortController()
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await child?.ended
      child = null
      await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      child = await start().catch((error: Error) => {
        tell(`${name} did not start: ${error.message.slice(0, 300)}`)
        return null
      })
    }
  }
  const watching = watch()
  const pid = (): number | null => (child?.end() === null ? child.pid : null)
  return {
    kill() {
      const running = pid()
      if (running !== null) process.kill(running, 'SIGKILL')
      return running !== null
    },
    freeze() {
      const running = pid()
      return running === null ? null : freeze(running)
    },
    async stop() {
      stopping.abort()
      await child?.stop()
      await watching
      // A start that ran meanwhile.
      await child?.stop()
    },
  }
}
