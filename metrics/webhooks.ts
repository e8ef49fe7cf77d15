import { counter, histogram } from './registry.ts'

export const webhookAttempts = counter(
  'reelgate_webhook_attempts_total',
  'Attempts to deliver a webhook. `result` is `success`, or the error code of the attempt.',
  ['result'],
  [{ result: 'success' }],
)

export const webhookDuration = histogram(
  'reelgate_webhook_attempt_duration_seconds',
  'Time that a receiver took to respond to an attempt, or until the attempt failed.',
  [],
  [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
)

export const webhookDeliveries = counter(
  'reelgate_webhook_deliveries_total',
  'Webhook deliveries that ended with an attempt, not because their endpoint was disabled or deleted.',
  ['outcome'],
  [{ outcome: 'delivered' }, { outcome: 'failed' }],
)

export const statements = counter(
  'reelgate_statements_total',
  'xAPI statements that a record store has taken, or refused for good.',
  ['outcome'],
  [{ outcome: 'delivered' }, { outcome: 'refused' }],
)
