import { setTimeout as sleep } from 'node:timers/promises'
import { isLockFailure } from '../errors.ts'

/** Requests wait behind a lock that waits. It gives up before their deadline, and is tried again. */
export const LOCK_TIMEOUT = '2s'

const TRIES = 30
const RETRY_MS = 1_000

/** Repeats a transaction that did not get its locks within its `lock_timeout`; gives up after about two minutes. */
export async function repeatForLocks<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isLockFailure(error) || tries === TRIES) throw error
      await sleep(RETRY_MS)
    }
  }
}
