import { measureProcessDelay } from './process-delay.ts'

const TIMER_MAX_MS = 2 ** 31 - 1
/**
 * The most that the delay of this process adds to a limit, so that callers wait for a bounded time.
 */
const PROCESS_DELAY_MAX_MS = 10_000

/** A running time limit. */
export interface Clock {
  remainingMs(): number
  /** Ends it without a call of `onEnd`. */
  stop(): void
}

/**
 * Calls `onEnd` after `limitMs`, and after all that has arrived until then is read. Up to 10 s in which this process is
 * too busy to read its sockets are not counted. Stop it when it is not needed, because it keeps the process alive.
 */
export function startClock(limitMs: number, onEnd: () => void): Clock {
  const startedAtMs = performance.now()
  const delay = measureProcessDelay()
  const remainingMs = (): number => {
    const processDelayMs = Math.min(delay.delayMs(), PROCESS_DELAY_MAX_MS)
    return Math.max(0, limitMs + processDelayMs - (performance.now() - startedAtMs))
  }
  let timer: NodeJS.Timeout
  let immediate: NodeJS.Immediate | undefined
  const wait = (ms: number): void => {
    timer = setTimeout(onTimer, Math.min(ms, TIMER_MAX_MS))
  }
  // Deferred: timers run before I/O, and a response that has already arrived must still be read.
  const onTimer = (): void => {
    immediate = setImmediate(() => {
      const leftMs = remainingMs()
      if (leftMs > 0) return wait(leftMs)
      delay.end()
      onEnd()
    })
  }
  wait(limitMs)
  return {
    remainingMs,
    stop() {
      clearTimeout(timer)
      clearImmediate(immediate)
      delay.end()
    },
  }
}
