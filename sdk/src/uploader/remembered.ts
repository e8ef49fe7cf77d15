const PREFIX = 'reelgate-upload '
/** The longest time after which an unfinished upload expires. */
const KEPT_MS = 6 * 86_400_000

const keyOf = (endpoint: string, { name, size, lastModified }: File): string =>
  PREFIX + JSON.stringify([endpoint, name, size, lastModified])

/** Returns the address that an earlier page was given for this file; null if there is none, or the browser keeps nothing. */
export function recallAddress(endpoint: string, file: File): string | null {
  return withStorage((storage) => {
    removeOld(storage)
    const kept = storage.getItem(keyOf(endpoint, file))
    return kept === null ? null : (JSON.parse(kept) as { url: string }).url
  })
}

/** Keeps the address of an upload, so that the same file, chosen again after a reload, continues. */
export const rememberAddress = (endpoint: string, file: File, url: string): void =>
  void withStorage((storage) => {
    storage.setItem(keyOf(endpoint, file), JSON.stringify({ url, at: Date.now() }))
    return null
  })

export const forgetAddress = (endpoint: string, file: File): void =>
  void withStorage((storage) => {
    storage.removeItem(keyOf(endpoint, file))
    return null
  })

function removeOld(storage: Storage): void {
  for (const key of Object.keys(storage).filter((one) => one.startsWith(PREFIX))) {
    const { at } = JSON.parse(storage.getItem(key) ?? '{}') as { at?: number }
    if (!(Date.now() - (at ?? 0) < KEPT_MS)) storage.removeItem(key)
  }
}

/** Storage may be forbidden, full, or written by another script. */
function withStorage(use: (storage: Storage) => string | null): string | null {
  try {
    return use(localStorage)
  } catch {
    return null
  }
}
