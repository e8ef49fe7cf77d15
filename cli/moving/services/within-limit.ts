/** Work that took too long. */
export class SlowError extends Error {
  override name = 'SlowError'
}

/**
 * Limits the time of a request and its response; the signal ends them too. The timer ends with the work: those of `AbortSignal.timeout` run on,
 * and would keep thousands of responses in memory.
 */
export async function withinLimit<T>(
  signal: AbortSignal,
  limitMs: number,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(signal.reason)
  const timer = setTimeout(() => controller.abort(new SlowError()), limitMs)
  signal.addEventListener('abort', onAbort)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
