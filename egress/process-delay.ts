const TICK_MS = 50

let watchers = 0
let delayedMs = 0
let timer: NodeJS.Timeout | undefined

/**
 * Starts to measure how long this process keeps its own timers and sockets waiting because its event
 * loop is busy. Returns a function that gives the milliseconds so far, and one that ends the
 * measurement. One timer serves all who measure.
 */
export function measureProcessDelay(): { delayMs(): number; end(): void } {
  const atStartMs = delayedMs
  watchers += 1
  if (watchers === 1) tick()
  let isOver = false
  return {
    delayMs: () => delayedMs - atStartMs,
    end() {
      if (isOver) return
      isOver = true
      watchers -= 1
      if (watchers === 0) clearTimeout(timer)
    },
  }
}

function tick(): void {
  const startedAtMs = performance.now()
  timer = setTimeout(() => {
    delayedMs += Math.max(0, performance.now() - startedAtMs - TICK_MS)
    tick()
  }, TICK_MS)
}
