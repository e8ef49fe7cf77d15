/**
 * What a delivery waits after each failed attempt (spec, "Retries"): attempt 2 comes a minute after
 * attempt 1 failed, then 5 minutes, 30 minutes and 2 hours.
 */
export const RETRY_DELAYS_MS = [60_000, 300_000, 1_800_000, 7_200_000] as const

/** After the fifth failure of a scheduled attempt the delivery is marked failed. */
export const DELIVERY_ATTEMPTS = RETRY_DELAYS_MS.length + 1

/** Attempts that may be asked for beside the schedule; more would only make histories long. */
export const MANUAL_ATTEMPTS_MAX = 20

/** The wait before the one that follows failed scheduled attempt `number` (from 1); null after the last. */
export const delayAfterAttemptMs = (number: number): number | null =>
  RETRY_DELAYS_MS[number - 1] ?? null

/** Why an attempt failed: the classes that `GET /v1/webhook-deliveries` shows. */
export type DeliveryErrorCode =
  | 'dns_error'
  | 'address_not_allowed'
  | 'connection_refused'
  | 'connection_reset'
  | 'tls_error'
  | 'timeout'
  | 'redirect_not_followed'
  | 'http_error'
  | 'protocol_error'
  | 'endpoint_disabled'
  | 'cancelled'

/** Why an endpoint is switched off: by its owner, after failures, or because it answered 410. */
export type DisabledReason = 'owner' | 'failures' | 'gone'

const DISABLE_AFTER_FAILURES = 100
const DISABLE_AFTER_MS = 5 * 24 * 3_600_000

/**
 * True where an endpoint is switched off (design, section 7): at once on 410, else at 100 failed
 * attempts in a row with no success for 5 days.
 */
export function mustDisableEndpoint(facts: {
  failureCount: number
  sinceLastSuccessMs: number
  responseStatus: number | null
}): boolean {
  if (facts.responseStatus === 410) return true
  return (
    facts.failureCount >= DISABLE_AFTER_FAILURES && facts.sinceLastSuccessMs >= DISABLE_AFTER_MS
  )
}
