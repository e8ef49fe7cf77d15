import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 500

/** How many requests of one process may wait at the same time. */
export interface LongPollLimits {
  perProcess: number
  perGroup: number
}

interface Wait {
  /** Requests of one group share a limit. */
  group: number
  /** The whole wait; with 0, `look` runs once. */
  waitMs: number
  /** Called before a wait; returns a signal that aborts when the client disconnects. */
  whenGone: () => AbortSignal
}

/** Lets a bounded number of requests wait for a result. */
export interface LongPolls {
  /**
   * Calls `look` every half second until `isEnough`, or until the time is over, the client disconnects, the process
   * stops, or too many requests wait already. Resolves to the last result.
   */
  repeat<T>(look: () => Promise<T>, isEnough: (found: T) => boolean, wait: Wait): Promise<T>
}

/** Creates the long polls of one process. Aborting `stopping` ends those that wait. */
export function createLongPolls(
  stopping: AbortSignal,
  { perProcess, perGroup }: LongPollLimits = { perProcess: 100, perGroup: 5 },
): LongPolls {
  const waiting = new Map<number, number>()
  let all = 0
  const count = (group: number, change: 1 | -1): void => {
    all += change
    const left = (waiting.get(group) ?? 0) + change
    if (left > 0) waiting.set(group, left)
    else waiting.delete(group)
  }
  const isFull = (group: number): boolean =>
    all >= perProcess || (waiting.get(group) ?? 0) >= perGroup

  return {
    async repeat(look, isEnough, { group, waitMs, whenGone }) {
      const endsAtMs = performance.now() + waitMs
      let found = await look()
      if (isEnough(found) || waitMs === 0 || isFull(group)) return found
      const signal = AbortSignal.any([stopping, whenGone()])
      count(group, 1)
      try {
        while (!isEnough(found) && !signal.aborted && performance.now() < endsAtMs) {
          await pause(Math.min(LOOK_EVERY_MS, endsAtMs - performance.now()), signal)
          if (!signal.aborted) found = await look()
        }
        return found
      } finally {
        count(group, -1)
      }
    },
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => {})
