import type { DeliveryErrorCode } from '../webhooks/delivery-failures.ts'
import { boundedRetryAfterMs, RETRY_DELAYS_MS } from '../webhooks/webhook-delivery.ts'

/** The most statements of one request. */
export const STATEMENTS_PER_REQUEST = 100

/** The characters of a response that are kept. */
export const STORE_RESPONSE_MAX_LENGTH = 2_000

const HOUR_MS = 3_600_000
const UNAUTHORIZED: readonly unknown[] = [401, 403]
const CONFLICT = 409
/** Statuses by which a record store refuses what a request says, not the request. */
const REFUSED: readonly unknown[] = [400, CONFLICT, 413, 422]

const REFUSED_IN_ROW_MAX = 20

/** The input of the workflow that delivers the statements of an account. */
export interface DeliverStatementsInput {
  accountId: number
  /** The most statements of the first request. */
  limit?: number
}

/** What one request has done. `ended`: nothing is to be sent now. Otherwise the next one has up to `limit` statements. */
export type SendStatementsResult = { outcome: 'ended' } | { outcome: 'more'; limit: number }

/** The response of a record store, as far as it decides what follows. */
export interface StoreResponse {
  /** Null without a response. */
  responseStatus: number | null
  /** Null exactly for a success. */
  errorCode: DeliveryErrorCode | null
  retryAfterMs: number | null
}

/** The outcome of a request: all statements delivered, one of several refused, the only one refused, or all to be sent again. */
export type StoreVerdict = 'delivered' | 'divide' | 'refused' | 'wait'

/**
 * Judges the response to a request with `count` statements. A record store takes all statements of a request, or none. One that has refused
 * twenty statements and taken none refuses requests, whatever they say: the others wait.
 */
export function verdictOf(
  { responseStatus, errorCode }: StoreResponse,
  { count, refusedInRow }: { count: number; refusedInRow: number },
): StoreVerdict {
  if (errorCode === null) return 'delivered'
  if (!REFUSED.includes(responseStatus)) return 'wait'
  if (count > 1) return 'divide'
  // It has a statement of this id already.
  if (responseStatus === CONFLICT) return 'delivered'
  return refusedInRow < REFUSED_IN_ROW_MAX ? 'refused' : 'wait'
}

/**
 * Returns the wait after failed request `number` in a row (from 1): that of webhooks, then an hour each time. Credentials that are refused
 * are tried again after an hour.
 */
export function waitAfterFailureMs(
  number: number,
  { responseStatus, retryAfterMs }: StoreResponse,
): number {
  const delayMs = UNAUTHORIZED.includes(responseStatus)
    ? HOUR_MS
    : (RETRY_DELAYS_MS[number - 1] ?? HOUR_MS)
  return Math.max(delayMs, boundedRetryAfterMs(retryAfterMs) ?? 0)
}

/** Returns the address of the statements of an endpoint, with or without a slash at its end. */
export const statementsUrl = (endpoint: string): string =>
  `${endpoint.replace(/\/+$/, '')}/statements`

/** Of an endpoint: what `statements` is added to has no query. */
export const ENDPOINT_FORM = /^[^?#]*$/

/** The user name of HTTP Basic has no colon (RFC 7617); header values have no control characters. */
export const USERNAME_FORM = /^[^:\p{Cc}]+$/u

/** An absolute IRI, as xAPI requires for `homePage`: a scheme, and no space. */
export const IRI_FORM = /^[a-zA-Z][a-zA-Z0-9+.-]*:[^\s\p{Cc}<>"{}|\\^`]+$/u
