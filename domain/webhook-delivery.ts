import type { DeliveryErrorCode } from './delivery-schedule.ts'

export interface DeliverWebhookInput {
  deliveryId: number
  accountId: number
}

export interface DeliverWebhookResult {
  /** `gone`: the delivery or its endpoint was deleted. */
  outcome: 'delivered' | 'failed' | 'gone'
  /** The answer to the last attempt; null without an attempt. */
  lastAnswer: AttemptAnswer | null
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
export type SendWebhookResult = AttemptOutcome & { answer?: AttemptAnswer }

/** `gone`: the delivery or its endpoint was deleted. `retry`: attempt `nextNumber` follows after `waitMs`. */
export type AttemptOutcome =
  | { outcome: 'delivered' | 'failed' | 'gone' }
  | { outcome: 'retry'; nextNumber: number; waitMs: number }

/** The result of one attempt, without any text of the receiver. */
export interface AttemptAnswer {
  /** From 1. */
  attempt: number
  /** Null without a response. */
  responseStatus: number | null
  /** Null exactly for a success. */
  errorCode: DeliveryErrorCode | null
  durationMs: number
}
