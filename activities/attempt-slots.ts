/** Room for attempts in flight, of which nobody can take so much that the others have none. */
export interface AttemptSlots {
  /** Takes a place and returns what gives it back; null where the endpoint or its account has enough. */
  take(accountId: number, endpointId: number): (() => void) | null
}

/** What an endpoint, and what all of an account's, may hold for each place that is still free. */
const ENDPOINT_SHARE = 1 / 4
const ACCOUNT_SHARE = 1 / 2

/**
 * Shares `capacity` places by dynamic thresholds (Choudhury and Hahne, 1998): whoever holds as many
 * as its share of what is *free* gets no more. One endpoint that hangs holds a fifth of all, however
 * many of one account's a third, and each further account that hangs a third of the rest.
 */
export function createAttemptSlots(capacity: number): AttemptSlots {
  const byEndpoint = createTally()
  const byAccount = createTally()
  let free = capacity
  return {
    take(accountId, endpointId) {
      const isEnough =
        byEndpoint.of(endpointId) >= ENDPOINT_SHARE * free ||
        byAccount.of(accountId) >= ACCOUNT_SHARE * free
      if (isEnough) return null
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

/** Counts by id; who has none takes no memory. */
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
