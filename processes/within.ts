/** Thrown by `within`. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'
}

/** Resolves like the promise. Rejects with a NoAnswerError if it takes longer than `ms`, and ignores how it ends. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new NoAnswerError(`no response within ${ms} ms`)), ms)
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
