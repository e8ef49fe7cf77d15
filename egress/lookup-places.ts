import { untilAborted } from './deadline.ts'

/** Room for a few at once; the others wait in the order in which they came. */
export interface Places {
  /**
   * Resolves to what gives the place back, which is needed also where the signal has aborted by then;
   * rejects with the signal's reason, having left the queue.
   */
  take(signal: AbortSignal): Promise<() => void>
}

/** Makes `count` places. */
export function createPlaces(count: number): Places {
  const waiting = new Set<{ signal: AbortSignal; resolve: () => void }>()
  let free = count
  const giveBack = (): void => {
    for (const one of waiting) {
      waiting.delete(one)
      if (!one.signal.aborted) return one.resolve()
    }
    free += 1
  }
  return {
    async take(signal) {
      if (free > 0 && !signal.aborted) free -= 1
      else
        await untilAborted<void>(signal, (resolve) => {
          const one = { signal, resolve: () => resolve() }
          waiting.add(one)
          return () => void waiting.delete(one)
        })
      return giveBack
    },
  }
}
