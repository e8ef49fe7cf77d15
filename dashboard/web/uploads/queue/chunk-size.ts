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
  /** Halves it after a proxy has refused a chunk; false if it is the smallest already. */
  refused: () => boolean
  /** Keeps the size for the next visit, once a chunk of it has arrived. */
  accepted: () => void
}

const KEY = 'reelgate-upload-chunk'

/** The size of chunks in this browser. `storage` is null if the browser keeps nothing. */
export function chunkSize(storage: TextStorage | null): ChunkSize {
  let bytes = readBytes(storage)
  let isChanged = false
  return {
    bytes: () => bytes,
    refused() {
      if (bytes <= SMALLEST_BYTES) return false
      bytes /= 2
      isChanged = true
      return true
    },
    accepted() {
      if (!isChanged) return
      isChanged = false
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
