import { startClock, type Clock } from './clock.ts'
import { EgressError } from './egress-error.ts'

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
    lookupLimitMs === undefined ? start(limitMs, respondedLate) : start(lookupLimitMs, resolvedLate)
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
      clock = start(limitMs, respondedLate)
    },
    release() {
      clock.stop()
      outer?.removeEventListener('abort', onOuterAbort)
    },
  }
}

const respondedLate = () => new EgressError('timeout', 'The server did not respond in time.')
const resolvedLate = () =>
  new EgressError('dns_error', 'The host name did not resolve in time.').withDoubt('resolver')

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
