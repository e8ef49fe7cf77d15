import type { DeliveryErrorCode } from '../../domain/delivery-schedule.ts'
import type { EventType } from '../../domain/events.ts'
import type { Delivery, Kit } from './kit.ts'

/** `must`: the contract. `should`: deliveries will suffer from it. `info`: good to know. */
export type Severity = 'must' | 'should' | 'info'

/** What came of one delivery; `status` and `errorCode` are never both null. */
export interface Answer {
  what: string
  status: number | null
  /** Why there is no status. */
  errorCode: DeliveryErrorCode | null
  /** The code behind a `tls_error` and the like: CERT_HAS_EXPIRED. */
  detail: string
  /** From the last byte of the request to the last byte of the answer that was read. */
  durationMs: number
  bodyBytes: number
  /** Where a redirect leads, without its query. */
  location: string | null
}

interface CheckFacts {
  id: string
  severity: Severity
  /** What a good receiver does, as a sentence. */
  title: string
  /** What a developer may do where it fails. */
  hint: string
}

/** `accepted`: 2xx. `refused`: 400. `no crash`: any status below 500. `anything`: told, not judged. */
export type Expectation = 'accepted' | 'refused' | 'no crash' | 'anything'

/** A check that sends deliveries and looks at their answers. */
export interface DeliveryCheck extends CheckFacts {
  expects: Expectation
  /** Who accepts one of them believes anybody: the grade is F. */
  isForgery?: true
  /** Skipped where the receiver is not for all of these types. */
  needs?: EventType[]
  atOnce?: true
  deliveries: (kit: Kit) => Delivery[]
}

/** What a check found; `got` says in a few words what came. */
export interface Finding {
  status: 'held' | 'failed' | 'skipped'
  got: string
  /** For a check that holds, but not to the letter; or the hint that fits better than the check's. */
  note?: string
}

export interface Limits {
  /** For one answer (spec, "Limits"). */
  timeoutMs: number
  /** Answers that take longer are slow. */
  slowMs: number
  /** Between two pieces of a body. */
  pieceWaitMs: number
}

/** A check that looks at all answers together. */
export interface Observation extends CheckFacts {
  expected: string
  judge: (answers: Answer[], limits: Limits, url: URL) => Finding
}
