const MIB = 1 << 20
const LARGEST_BYTES = 16 * MIB
const SMALLEST_BYTES = MIB / 2

/** What keeps a text in the browser. Each call may throw. */
export interface TextStorage {
  readonly length: number
  key: (index: number) => string | null
  getItem: (key: string) => string | null
  setItem: (key: string, value: string) => void
  removeItem: (key: string) => void
}

/** How many bytes a request has. Proxies limit that. */
export interface ChunkSize {
  bytes: () => number
  /** Keeps a size that a proxy takes for the next visit. */
  keep: (bytes: number) => void
}

const KEY = 'reelgate-upload-chunk'

/** The size of chunks in this browser. `storage` is null if the browser keeps nothing. */
export function chunkSize(storage: TextStorage | null): ChunkSize {
  let current = readBytes(storage)
  return {
    bytes: () => current,
    keep(bytes) {
      current = bytes
      try {
        storage?.setItem(KEY, String(bytes))
      } catch {
        // It holds until the page is left.
      }
    },
  }
}

function readBytes(storage: TextStorage | null): number {
  try {
    const kept = Number(storage?.getItem(KEY))
    const isValid = Number.isInteger(kept) && kept >= SMALLEST_BYTES && kept <= LARGEST_BYTES
    return isValid ? kept : LARGEST_BYTES
  } catch {
    return LARGEST_BYTES
  }
}
