import { untilAborted } from './deadline.ts'

/**
 * Limits concurrent lookups. Accounts take turns, and one of them holds at most half of all: a name whose servers are
 * silent holds its turn for up to half a minute.
 */
export interface LookupQueue {
  /**
   * Resolves to a function that ends this turn; call it even if the signal has aborted by then.
   * Rejects with the signal's reason and leaves the queue if the signal aborts first.
   */
  waitForTurn(signal: AbortSignal, accountId?: number | null): Promise<() => void>
}

interface Waiting {
  signal: AbortSignal
  resolve: () => void
}

/** Creates a queue with `count` concurrent turns. */
export function createLookupQueue(count: number): LookupQueue {
  const shareMax = Math.max(1, Math.floor(count / 2))
  const waiting = new Map<number | null, Set<Waiting>>()
  const held = new Map<number | null, number>()
  let free = count

  const heldBy = (account: number | null): number => held.get(account) ?? 0
  const take = (account: number | null): void => {
    free -= 1
    held.set(account, heldBy(account) + 1)
  }
  const release = (account: number | null): void => {
    free += 1
    if (heldBy(account) > 1) held.set(account, heldBy(account) - 1)
    else held.delete(account)
    startNext()
  }

  function startNext(): void {
    for (const [account, entries] of waiting) {
      if (free === 0) return
      if (heldBy(account) >= shareMax) continue
      const [entry] = entries
      // The account that got a turn is the last one to get another.
      waiting.delete(account)
      if (!entry) continue
      entries.delete(entry)
      if (entries.size > 0) waiting.set(account, entries)
      if (entry.signal.aborted) continue
      take(account)
      entry.resolve()
    }
  }

  return {
    async waitForTurn(signal, accountId = null) {
      if (free > 0 && heldBy(accountId) < shareMax && !signal.aborted) take(accountId)
      else
        await untilAborted<void>(signal, (resolve) => {
          const entries = waiting.get(accountId) ?? new Set()
          const entry = { signal, resolve: () => resolve() }
          entries.add(entry)
          waiting.set(accountId, entries)
          return () => void entries.delete(entry)
        })
      return () => release(accountId)
    },
  }
}
