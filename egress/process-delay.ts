const TICK_MS = 50
/**
 * Timers are late by a few milliseconds in each process, and its sockets are read nevertheless. Counted for each tick, they
 * would add seconds to a limit of 15 s.
 */
const ORDINARY_LATENESS_MS = 25

/** Returns the delay that a tick shows `elapsedMs` after its start: its whole lateness, or 0 if that is ordinary. */
export function delayOfTick(elapsedMs: number): number {
  const latenessMs = elapsedMs - TICK_MS
  return latenessMs > ORDINARY_LATENESS_MS ? latenessMs : 0
}

let watchers = 0
let delayedMs = 0
let tickStartedAtMs = 0
let tickTimer: NodeJS.Timeout | undefined

/**
 * Starts to measure how long a busy event loop delays the timers and sockets of this process. `delayMs` returns the
 * delay so far, without that from before the start, and `end` ends the measurement. All measurements share a timer.
 */
export function measureProcessDelay(): { delayMs(): number; end(): void } {
  watchers += 1
  if (watchers === 1) tick()
  const atStartMs = delayedMs + currentDelayMs()
  let isOver = false
  return {
    delayMs: () => Math.max(0, delayedMs - atStartMs),
    end() {
      if (isOver) return
      isOver = true
      watchers -= 1
      if (watchers === 0) clearTimeout(tickTimer)
    },
  }
}

/** The delay of a tick that is due but has not run. */
const currentDelayMs = (): number => delayOfTick(performance.now() - tickStartedAtMs)

function tick(): void {
  tickStartedAtMs = performance.now()
  tickTimer = setTimeout(() => {
    delayedMs += currentDelayMs()
    tick()
  }, TICK_MS)
}
