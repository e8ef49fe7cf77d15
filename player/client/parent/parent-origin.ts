/** What a document can read about the page that frames it. */
export interface Framing {
  isFramed: boolean
  /** `location.ancestorOrigins`, innermost first; null in browsers without it (Firefox). */
  ancestorOrigins: readonly string[] | null
  /** `document.referrer`. */
  referrer: string
}

/**
 * Returns the origin of the embedding page, the only one that the player exchanges messages with.
 * Returns null if there is none or it is unknown; then no messages are exchanged.
 */
export function parentOrigin({ isFramed, ancestorOrigins, referrer }: Framing): string | null {
  if (!isFramed) return null
  if (ancestorOrigins !== null) return webOrigin(ancestorOrigins[0] ?? '')
  return webOrigin(referrer)
}

/** Sandboxed pages and files have no origin that a message could be sent to. */
function webOrigin(url: string): string | null {
  if (!/^https?:/i.test(url)) return null
  try {
    return new URL(url).origin
  } catch {
    return null
  }
}
