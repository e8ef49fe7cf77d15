/** The statuses with which a receiver asks to wait (RFC 6585, section 4; RFC 9110, section 15.6.4). */
const WAITING_STATUSES: readonly number[] = [429, 503]

interface Response {
  status: number
  /** By lowercase name. */
  headers: Record<string, string | string[] | undefined>
}

/**
 * Returns for how long the `Retry-After` of a 429 or 503 asks to wait, in milliseconds from `nowMs`: seconds, or a date by the
 * clock of the response's `Date` (RFC 9110, section 10.2.3). Null without one, and for text that is neither.
 */
export function readRetryAfterMs({ status, headers }: Response, nowMs: number): number | null {
  const value = headers['retry-after']
  if (!WAITING_STATUSES.includes(status) || typeof value !== 'string') return null
  if (/^\d{1,10}$/.test(value)) return Number(value) * 1000
  const atMs = parseDate(value)
  return atMs === null ? null : Math.max(0, atMs - (parseDate(headers.date) ?? nowMs))
}

/** A date of HTTP begins with the day of the week; `Date.parse` also takes other text. */
function parseDate(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string' || !/^[A-Z][a-z]{2}/.test(value)) return null
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : atMs
}
