import { EgressError } from './egress-error.ts'

const TIMER_MAX_MS = 2 ** 31 - 1

/** One time limit for everything that a request does, joined with the caller's own signal. */
export interface Deadline {
  /** Aborts with an EgressError `timeout` or `aborted` as its reason. */
  signal: AbortSignal
  remainingMs(): number
  /** Ends the clock; needed exactly when the request is over, or the timer keeps the process up. */
  release(): void
}

/** Starts the clock. `outer` aborts the same signal, with the code `aborted`. */
export function startDeadline(deadlineMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  const limitMs = Math.min(deadlineMs, TIMER_MAX_MS)
  const endsAtMs = performance.now() + limitMs
  const onTimeout = () =>
    controller.abort(new EgressError('timeout', 'The server did not answer in time.'))
  const onOuterAbort = () =>
    controller.abort(new EgressError('aborted', 'The request was cancelled.'))

  const timer = setTimeout(onTimeout, limitMs)
  if (outer?.aborted) onOuterAbort()
  else outer?.addEventListener('abort', onOuterAbort, { once: true })

  return {
    signal: controller.signal,
    remainingMs: () => Math.max(0, endsAtMs - performance.now()),
    release() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onOuterAbort)
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
