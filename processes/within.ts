/** Thrown by `within`. */
export class NoResponseError extends Error {
  override name = 'NoResponseError'
}

/** Resolves like the promise. Rejects with a NoResponseError if it takes longer than `ms`, and ignores how it ends. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new NoResponseError(`no response within ${ms} ms`)),
    ms,
  )
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
