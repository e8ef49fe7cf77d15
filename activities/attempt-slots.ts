/** A fair-share limit on concurrent attempts (ADR 0012). */
export interface AttemptSlots {
  /** Takes a slot. Returns a function that releases it, or null if the endpoint or its account is at its limit. */
  take(accountId: number, endpointId: number): (() => void) | null
}

/** The slots that an endpoint, and all endpoints of an account, may hold, as a fraction of the free slots. */
const ENDPOINT_SHARE = 1 / 4
const ACCOUNT_SHARE = 1 / 2

/**
 * Shares `capacity` slots by dynamic thresholds (Choudhury and Hahne, 1998): the limit of each holder is a
 * share of the slots that are *free*. One endpoint that hangs holds a fifth of all slots, all endpoints of
 * one account together a third, and each further account a third of the rest.
 */
export function createAttemptSlots(capacity: number): AttemptSlots {
  const byEndpoint = createTally()
  const byAccount = createTally()
  let free = capacity
  return {
    take(accountId, endpointId) {
      const hasItsShare =
        byEndpoint.of(endpointId) >= ENDPOINT_SHARE * free ||
        byAccount.of(accountId) >= ACCOUNT_SHARE * free
      if (hasItsShare) return null
      const add = (count: 1 | -1): void => {
        free -= count
        byEndpoint.add(endpointId, count)
        byAccount.add(accountId, count)
      }
      add(1)
      return () => add(-1)
    },
  }
}

/** Counts by id; an id with a count of zero takes no memory. */
function createTally() {
  const counts = new Map<number, number>()
  const of = (id: number): number => counts.get(id) ?? 0
  return {
    of,
    add(id: number, count: number): void {
      const sum = of(id) + count
      if (sum === 0) counts.delete(id)
      else counts.set(id, sum)
    },
  }
}
