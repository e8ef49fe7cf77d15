/** What a document knows of the page that frames it. */
export interface Framing {
  isFramed: boolean
  /** `location.ancestorOrigins`, innermost first; null where the browser has none (Firefox). */
  ancestorOrigins: readonly string[] | null
  /** `document.referrer`. */
  referrer: string
}

/**
 * The origin of the page that frames us: the only one that is listened to and written to. Null where
 * there is none or it is not known; then nobody is.
 */
export function parentOrigin({ isFramed, ancestorOrigins, referrer }: Framing): string | null {
  if (!isFramed) return null
  if (ancestorOrigins !== null) return webOrigin(ancestorOrigins[0] ?? '')
  return webOrigin(referrer)
}

/** Sandboxed pages, files and the like have no origin that a message could be addressed to. */
function webOrigin(url: string): string | null {
  if (!/^https?:/i.test(url)) return null
  try {
    return new URL(url).origin
  } catch {
    return null
  }
}
