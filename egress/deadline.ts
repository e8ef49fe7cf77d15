import { EgressError } from './egress-error.ts'
import { measureProcessDelay } from './process-delay.ts'

const TIMER_MAX_MS = 2 ** 31 - 1
/** The most that our own delay adds to a limit, so that callers wait for a bounded time. */
const OWN_DELAY_MAX_MS = 10_000

/** One time limit for everything that a request does, joined with the caller's own signal. */
export interface Deadline {
  /** Aborts with an EgressError `timeout`, `dns_error` (for a lookup's own limit) or `aborted` as its reason. */
  signal: AbortSignal
  remainingMs(): number
  /** Says that connecting begins, which starts the limit where the lookup has one of its own. */
  begin(): void
  /** Ends the clock; needed exactly when the request is over, or the timer keeps the process up. */
  release(): void
}

/**
 * Starts the clock. `outer` aborts the same signal, with the code `aborted`. With `lookupLimitMs` that
 * bounds what comes before `begin`, and `limitMs` what comes after. Time that this process was too busy
 * to look at its sockets is not counted, up to 10 s: the other side cannot help it.
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
const resolvedLate = () => new EgressError('dns_error', 'The host name did not resolve in time.')

interface Clock {
  remainingMs(): number
  stop(): void
}

function startClock(limitMs: number, onEnd: () => void): Clock {
  const startedAtMs = performance.now()
  const delay = measureProcessDelay()
  const remainingMs = (): number => {
    const ownMs = Math.min(delay.delayMs(), OWN_DELAY_MAX_MS)
    return Math.max(0, limitMs + ownMs - (performance.now() - startedAtMs))
  }
  let timer: NodeJS.Timeout
  let immediate: NodeJS.Immediate | undefined
  const wait = (ms: number): void => {
    timer = setTimeout(onTimer, Math.min(ms, TIMER_MAX_MS))
  }
  // Later, not now: timers come first, and an answer that has arrived is read before it is too late.
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

/**
 * Runs `start` until it calls one of its callbacks or the signal aborts, then runs the cleanup that
 * `start` returned, whichever came first. Rejects with the signal's reason when that came first.
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
