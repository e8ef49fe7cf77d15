import type { RateLimits, RateUse } from '../../db/api-keys.ts'

const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400

/** RateLimit-Policy and RateLimit of the IETF draft: the quotas, what is left and until when. */
export function rateLimitHeaders(limits: RateLimits, use: RateUse): Record<string, string> {
  const minute = leftOf(limits.perMinute, use.minuteCount)
  const day = leftOf(limits.perDay, use.dayCount)
  return {
    'RateLimit-Policy': `"minute";q=${limits.perMinute};w=${MINUTE_SECONDS}, "day";q=${limits.perDay};w=${DAY_SECONDS}`,
    RateLimit: `"minute";r=${minute};t=${use.minuteEndsInSeconds}, "day";r=${day};t=${use.dayEndsInSeconds}`,
  }
}

/** When a refused request may come again: not before every used-up window has ended. */
export function retryAfterSeconds(limits: RateLimits, use: RateUse): number {
  const waits = [
    use.minuteCount >= limits.perMinute ? use.minuteEndsInSeconds : 0,
    use.dayCount >= limits.perDay ? use.dayEndsInSeconds : 0,
  ]
  return Math.max(1, ...waits)
}

const leftOf = (quota: number, count: number): number => Math.max(0, quota - count)
