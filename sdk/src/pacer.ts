import { sleep } from './sleep.ts'

// 8,640 a day and the 60 of the beginning: below the 10,000 that a key has, with room for others.
const BURST = 60
const EVERY_MS = 10_000

/** Resolves when the next request may be sent: 60 at once, then one every ten seconds on average. */
export function createPacer(): (signal: AbortSignal) => Promise<void> {
  let left = BURST
  let countedAtMs = Date.now()
  return async (signal) => {
    for (;;) {
      const nowMs = Date.now()
      left = Math.min(BURST, left + Math.max(0, nowMs - countedAtMs) / EVERY_MS)
      countedAtMs = nowMs
      if (left >= 1) break
      await sleep(Math.ceil((1 - left) * EVERY_MS), signal)
    }
    left -= 1
  }
}
