import { EgressError } from './egress-error.ts'

const TIMER_MAX_MS = 2 ** 31 - 1
/**
 * The most that the delay of this process adds to a limit, so that callers wait for a bounded time.
 */
const PROCESS_DELAY_MAX_MS = 10_000

/** The time limit of a whole request, combined with the caller's signal. */
export interface Deadline {
  /**
   * Its reason is an EgressError: `timeout`, `dns_error` (the limit of the lookup) or `aborted`.
   */
  signal: AbortSignal
  remainingMs(): number
  /**
   * Marks the start of connecting. If the lookup has a separate limit, the main one starts here.
   */
  begin(): void
  /**
   * Stops the timer. Call it when the request is over; otherwise the timer keeps the process alive.
   */
  release(): void
}

/**
 * Starts a deadline. `outer` aborts the same signal, with the code `aborted`. If `lookupLimitMs` is
 * given, it limits the time before `begin`, and `limitMs` the time after it. Up to 10 s in which
 * this process is too busy to read its sockets are not counted, because they are not the server's
 * fault.
 */
export function startDeadline(
  limitMs: number,
  outer?: AbortSignal,
  lookupLimitMs?: number,
): Deadline {
  const controller = new AbortController()
  const start = (ms: number, failure: () => EgressError): Clock =>
    startClock(ms, () => controller.abort(failure()))
  let isBegun = lookupLimitMs === undefined
  let clock =
    lookupLimitMs === undefined ? start(limitMs, answeredLate) : start(lookupLimitMs, resolvedLate)
  const onOuterAbort = () =>
    controller.abort(new EgressError('aborted', 'The request was cancelled.'))
  if (outer?.aborted) onOuterAbort()
  else outer?.addEventListener('abort', onOuterAbort, { once: true })

  return {
    signal: controller.signal,
    remainingMs: () => clock.remainingMs(),
    begin() {
      if (isBegun) return
      isBegun = true
      clock.stop()
      clock = start(limitMs, answeredLate)
    },
    release() {
      clock.stop()
      outer?.removeEventListener('abort', onOuterAbort)
    },
  }
}

const answeredLate = () => new EgressError('timeout', 'The server did not answer in time.')
const resolvedLate = () =>
  new EgressError('dns_error', 'The host name did not resolve in time.').withDoubt('resolver')

interface Clock {
  remainingMs(): number
  stop(): void
}

function startClock(limitMs: number, onEnd: () => void): Clock {
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
  // Deferred: timers run before I/O, and an answer that has already arrived must still be read.
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

const TICK_MS = 50

let watchers = 0
let delayedMs = 0
let tickTimer: NodeJS.Timeout | undefined

/**
 * Starts to measure how long a busy event loop delays the timers and sockets of this process.
 * `delayMs` returns the delay so far, and `end` ends the measurement. All measurements share a
 * timer.
 */
function measureProcessDelay(): { delayMs(): number; end(): void } {
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
      if (watchers === 0) clearTimeout(tickTimer)
    },
  }
}

function tick(): void {
  const startedAtMs = performance.now()
  tickTimer = setTimeout(() => {
    delayedMs += Math.max(0, performance.now() - startedAtMs - TICK_MS)
    tick()
  }, TICK_MS)
}

/**
 * Runs `start` until it calls one of its callbacks or the signal aborts, and then runs the cleanup
 * function that `start` returned. Rejects with the signal's reason if the signal aborts first.
 */
export function untilAborted<T>(
  signal: AbortSignal,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  if (signal.aborted) {
    reject(signal.reason)
    return promise
  }
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const cleanUp = start(resolve, reject)
  return promise.finally(() => {
    signal.removeEventListener('abort', onAbort)
    cleanUp()
  })
}
