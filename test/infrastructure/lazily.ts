/** Wraps a service that starts at the first `get`, and stops only if it has started. */
export function lazily<T extends { stop(): Promise<void> }>(start: () => Promise<T>) {
  let started: Promise<T> | null = null
  return {
    get: () => (started ??= start()),
    stop: async () => {
      const service = await started?.catch(() => null)
      await service?.stop()
    },
  }
}
