import { setTimeout as sleep } from 'node:timers/promises'
import { ReelgateError } from '../../../sdk/src/index.ts'

/** Makes a call, and repeats it as long as waiting helps. */
export type Patience = <T>(call: () => Promise<T>) => Promise<T>

/** A service that does not respond is tried again for about ten minutes. A limit of requests says itself how long it lasts. */
const RETRIES_MAX = 12
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

/** Creates a Patience that ends with `signal`; `waiting` is called with the reason of each wait and its length. */
export const createPatience =
  (signal: AbortSignal, waiting: (reason: string, waitMs: number) => void): Patience =>
  async (call) => {
    for (let failures = 0; ;) {
      try {
        return await call()
      } catch (error) {
        if (signal.aborted || !(error instanceof ReelgateError) || !error.isTransient) throw error
        if (error.code !== 'rate_limited' && (failures += 1) > RETRIES_MAX) throw error
        const ownMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures)
        const waitMs = Math.max(ownMs, (error.retryAfterSeconds ?? 0) * 1_000)
        waiting(error.message, waitMs)
        await sleep(waitMs, undefined, { signal })
      }
    }
  }
