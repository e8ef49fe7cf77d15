/** Lets a loop sleep until there is something to do. */
export interface Wake {
  /** Ends the wait, or the next one where nobody waits. */
  wake(): void
  /** Resolves after `ms` at the latest. */
  wait(ms: number): Promise<void>
}

/** Makes a wake-up call; any number of calls between two waits count as one. */
export function createWake(): Wake {
  let isWoken = false
  let end: (() => void) | null = null
  return {
    wake() {
      isWoken = true
      end?.()
    },
    async wait(ms) {
      if (!isWoken) {
        const { promise, resolve } = Promise.withResolvers<void>()
        end = resolve
        const timer = setTimeout(resolve, ms)
        await promise
        clearTimeout(timer)
        end = null
      }
      isWoken = false
    },
  }
}
