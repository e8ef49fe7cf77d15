/** How long a service may ask to wait; what asks for more is not waited for. */
export const LONGEST_WAIT_MS = 15 * 60_000

/** The headers of a response, by their names in lower case. */
type Headers = Pick<globalThis.Headers, 'get'>

/**
 * Returns the wait before a refused request may be repeated, by `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3); null if the
 * response does not say.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs)
}

/**
 * Returns the wait before the next request, if this response was the last one that a window allows; 0 if it was not.
 *
 * - Vimeo: `X-RateLimit-Remaining` and `X-RateLimit-Reset`, a time that documents give as a date and as a Unix time (developer.vimeo.com,
 *   "Rate limiting").
 * - Cloudflare: `Ratelimit: "default";r=50;t=30`, requests left and seconds (developers.cloudflare.com, "Rate limits").
 */
export function windowWaitMs(headers: Headers, nowMs: number): number {
  const limits = (headers.get('ratelimit') ?? '').matchAll(/;\s*r=0;\s*t=(\d{1,9})/g)
  const waits = [...limits].map(([, seconds]) => Number(seconds) * 1_000)
  if (waits.length > 0) return Math.max(...waits)
  const remaining = headers.get('x-ratelimit-remaining')?.trim()
  if (remaining !== '0') return 0
  return Math.max(0, resetMs(headers.get('x-ratelimit-reset')?.trim() ?? '', nowMs) - nowMs)
}

/** One minute, if the time is not legible. */
function resetMs(text: string, nowMs: number): number {
  const time = /^\d{1,12}$/.test(text) ? Number(text) * 1_000 : Date.parse(text)
  return Number.isNaN(time) ? nowMs + 60_000 : time
}
