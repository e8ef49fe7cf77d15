/** Small things that are remembered between visits. */
export interface Memory {
  read(name: string): string | null
  write(name: string, value: string | null): void
}

const PREFIX = 'reelgate:'

/**
 * The browser's storage. A third-party frame may be refused it: then things are remembered as long
 * as the page lives.
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
        // Refused or full: the copy above serves.
      }
    },
  }
}
