import type { FailureCause } from '../../domain/failure-causes.ts'
import type { EventType } from '../../domain/webhooks/events.ts'
import type { DeliveryErrorCode } from '../../domain/webhooks/webhook-delivery.ts'
import type { Delivery, Kit } from './kit.ts'

/** `must`: required by the contract. `should`: deliveries suffer otherwise. `info`: no effect on the grade. */
export type Severity = 'must' | 'should' | 'info'

/** The response to one delivery; `status` and `errorCode` are never both null. */
export interface ReceiverResponse {
  what: string
  status: number | null
  /** Why there is no status. */
  errorCode: DeliveryErrorCode | null
  /** What is wrong with the receiver, if that is known more precisely. */
  cause: FailureCause | null
  /** The underlying code, for example CERT_HAS_EXPIRED for a `tls_error`. */
  detail: string
  /** From the last byte of the request to the last byte of the response that was read. */
  durationMs: number
  bodyBytes: number
  /** Target of a redirect without its query. */
  location: string | null
}

interface CheckFacts {
  id: string
  severity: Severity
  /** What a correct receiver does, as a sentence. */
  title: string
  /** Advice for a failure. */
  hint: string
}

/** `accepted`: 2xx. `refused`: 400. `no crash`: any status below 500. `anything`: reported only. */
export type Expectation = 'accepted' | 'refused' | 'no crash' | 'anything'

/** A check that sends deliveries and judges their responses. */
export interface DeliveryCheck extends CheckFacts {
  expects: Expectation
  /** A receiver that accepts one of these deliveries gets the grade F. */
  isForgery?: true
  /** Skipped unless the receiver handles all of these types. */
  needs?: EventType[]
  /** Sends the deliveries at the same time. */
  isConcurrent?: true
  deliveries: (kit: Kit) => Delivery[]
}

/** The result of a check; `got` is a short description of the responses. */
export interface Finding {
  status: 'held' | 'failed' | 'skipped'
  got: string
  /** A remark on a check that holds, or a hint that fits the failure better than the check's. */
  note?: string
}

export interface Limits {
  /** For one response (contract, "Limits"). */
  timeoutMs: number
  /** Longer responses count as slow. */
  slowMs: number
  /** Pause between two pieces of a body. */
  pieceWaitMs: number
}

/** A check of all responses together. */
export interface Observation extends CheckFacts {
  expected: string
  judge: (responses: ReceiverResponse[], limits: Limits, url: URL) => Finding
}
