import type { FailureCause } from '../failure-causes.ts'
import type { DeliveryErrorCode } from './delivery-failures.ts'

export type { DeliveryErrorCode } from './delivery-failures.ts'

export interface DeliverWebhookInput {
  deliveryId: number
  accountId: number
}

export interface DeliverWebhookResult {
  /** `gone`: the delivery or its endpoint was deleted. */
  outcome: 'delivered' | 'failed' | 'gone'
  /** The response to the last attempt; null without an attempt. */
  lastAnswer: AttemptResponse | null
}

/** One attempt to make. */
export interface SendWebhookInput {
  deliveryId: number
  /** The attempt that the workflow expects to be next, of any trigger, from 1. */
  number: number
  /** `manual`: requested before its scheduled time. */
  trigger: 'schedule' | 'manual'
}

/** `answer` is that of the last attempt; recorded histories do not have it. */
export type SendWebhookResult = AttemptOutcome & { answer?: AttemptResponse }

/** `gone`: the delivery or its endpoint was deleted. `retry`: attempt `nextNumber` follows after `waitMs`. */
export type AttemptOutcome =
  | { outcome: 'delivered' | 'failed' | 'gone' }
  | { outcome: 'retry'; nextNumber: number; waitMs: number }

/** The result of one attempt, without any text of the receiver. */
export interface AttemptResponse {
  /** From 1. */
  attempt: number
  /** Null without a response. */
  responseStatus: number | null
  /** Null if the attempt succeeded. */
  errorCode: DeliveryErrorCode | null
  durationMs: number
}

/** What is recorded of the response to an attempt; `errorCode` is null exactly for a success. */
export interface RecordedResponse {
  /** Null without a response. */
  responseStatus: number | null
  errorCode: DeliveryErrorCode | null
  errorCause: FailureCause | null
  /** Cause and remedy in words; null for a success. */
  errorMessage: string | null
  /** By lowercase name; empty without a response. */
  responseHeaders: Record<string, string>
  /** The first 16 KiB. */
  responseBody: string | null
  /** How its bytes became text: `utf-8`, `gzip, windows-1252`; null without a response. */
  responseEncoding: string | null
  remoteIp: string | null
  /** Milliseconds of each completed phase. */
  timings: Record<string, number>
}

/**
 * The wait after each failed attempt (contract, "Retries"): attempt 2 follows a minute after the failure of
 * attempt 1, then 5 minutes, 30 minutes and 2 hours.
 */
export const RETRY_DELAYS_MS = [60_000, 300_000, 1_800_000, 7_200_000] as const

/** The delivery fails with its fifth failed scheduled attempt. */
export const DELIVERY_ATTEMPTS = RETRY_DELAYS_MS.length + 1

/** The maximum of manual attempts, which bounds the length of workflow histories. */
export const MANUAL_ATTEMPTS_MAX = 20

/** A receiver can delay the next attempt by so much: the longest wait of the schedule. */
const RETRY_AFTER_MAX_MS = Math.max(...RETRY_DELAYS_MS)

/**
 * Returns the wait after failed scheduled attempt `number` (from 1); null after the last. The receiver may ask for a
 * longer one by Retry-After, never for a shorter one (ADR 0050).
 */
export function delayAfterAttemptMs(number: number, retryAfterMs: number | null): number | null {
  const delayMs = RETRY_DELAYS_MS[number - 1]
  return delayMs === undefined ? null : Math.max(delayMs, boundedRetryAfterMs(retryAfterMs) ?? 0)
}

/** Returns the wait that a receiver asked for, at most the longest of the schedule. */
export const boundedRetryAfterMs = (retryAfterMs: number | null): number | null =>
  retryAfterMs === null ? null : Math.min(retryAfterMs, RETRY_AFTER_MAX_MS)

/** Why an endpoint is disabled: by its owner, after failures, or because it responded with 410. */
export type DisabledReason = 'owner' | 'failures' | 'gone'

const DISABLE_AFTER_FAILURES = 100
const DISABLE_AFTER_MS = 5 * 24 * 3_600_000

/**
 * Returns whether a failed attempt disables its endpoint: immediately on 410, otherwise at 100 consecutive
 * failures without a success for 5 days.
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

/** The delivery states whose events a replay sends again; `commands/webhooks/append-replay-batch.ts` applies them. */
export const REPLAY_STATUSES = ['failed', 'delivered', 'missing'] as const

export type ReplayStatus = (typeof REPLAY_STATUSES)[number]

export interface ReplayWebhooksInput {
  replayId: number
}

export interface SettleEndpointInput {
  endpointId: number
}

/** What one step has done for a deleted or disabled endpoint. */
export interface EndpointStep {
  /** `full`: cancellations of its deliveries wait in the outbox; `ended`: nothing is left to do. */
  outcome: 'more' | 'full' | 'ended'
  /** How many deliveries this step has deleted or ended. */
  deliveryCount: number
}

/** The state of a replay after one batch. */
export interface ReplayBatch {
  /**
   * `full`: the maximum of its deliveries wait for their first attempt, or events are not committed yet; `ended`: the
   * replay is complete.
   */
  outcome: 'more' | 'full' | 'ended'
  /** The number of events in the range, and how many of them were examined so far. */
  eventCount: number
  scannedCount: number
}
