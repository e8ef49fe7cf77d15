/** Counts by key, such as of calls or of bytes. A key whose count is zero again takes no memory. */
export interface KeyCounts {
  of: (key: string) => number
  add: (key: string, change: number) => void
}

/** Opens counts that are all zero. */
export function createKeyCounts(): KeyCounts {
  const counts = new Map<string, number>()
  return {
    of: (key) => counts.get(key) ?? 0,
    add(key, change) {
      const count = (counts.get(key) ?? 0) + change
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    },
  }
}
