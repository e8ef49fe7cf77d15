import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 500

/** How many requests of one process may wait at once. */
export interface LongPollLimits {
  perProcess: number
  perGroup: number
}

interface Wait {
  /** Whose requests share a limit. */
  group: number
  /** For the whole wait; 0: one look. */
  waitMs: number
  /** Called where it has to wait: the signal that aborts when the client has gone. */
  whenGone: () => AbortSignal
}

/** Lets requests wait for something, a bounded number of them. */
export interface LongPolls {
  /**
   * Looks every half second until `isEnough`, or until the time is over, the client has gone, the
   * process is asked to end, or too many wait already; resolves to the last look.
   */
  repeat<T>(look: () => Promise<T>, isEnough: (found: T) => boolean, wait: Wait): Promise<T>
}

/** Opens the waiting room of one process; `stopping` sends everybody home. */
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
