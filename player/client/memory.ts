/** Stores preferences and positions between visits. */
export interface Memory {
  read(name: string): string | null
  write(name: string, value: string | null): void
}

const PREFIX = 'reelgate:'

/**
 * Opens the browser's storage. If the browser denies it, as some do in third-party frames, values are
 * kept until the page closes.
 */
export function openMemory(storage: () => Storage = () => localStorage): Memory {
  const kept = new Map<string, string>()
  return {
    read(name) {
      try {
        return storage().getItem(PREFIX + name) ?? kept.get(name) ?? null
      } catch {
        return kept.get(name) ?? null
      }
    },
    write(name, value) {
      if (value === null) kept.delete(name)
      else kept.set(name, value)
      try {
        if (value === null) storage().removeItem(PREFIX + name)
        else storage().setItem(PREFIX + name, value)
      } catch {
        // Denied or full: the copy in memory remains.
      }
    },
  }
}
