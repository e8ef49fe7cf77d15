/** A fair-share limit on work that runs at the same time (ADR 0012). */
export interface FairSlots {
  /**
   * Takes a slot for `holders`, one id for each share. Returns a function that releases it, or null if one of them is
   * at its limit.
   */
  take(...holders: number[]): (() => void) | null
}

/**
 * Shares `capacity` slots by dynamic thresholds (Choudhury and Hahne, 1998): the limit of each holder is a
 * share of the slots that are *free*. A holder whose share is 1/2 gets a third of all slots when it is alone, and each
 * further one a third of the rest. `shares` has one entry for each kind of holder.
 */
export function createFairSlots(capacity: number, shares: readonly number[]): FairSlots {
  const kinds = shares.map((share) => ({ share, tally: createTally() }))
  let free = capacity
  return {
    take(...holders) {
      const held = kinds.map(({ share, tally }, kind) => ({ share, tally, id: holders[kind] ?? 0 }))
      if (held.some(({ share, tally, id }) => tally.of(id) >= share * free)) return null
      const add = (count: 1 | -1): void => {
        free -= count
        for (const { tally, id } of held) tally.add(id, count)
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
