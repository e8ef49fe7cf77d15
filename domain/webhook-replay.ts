/** The delivery states whose events a replay sends again; `commands/webhooks/append-replay-batch.ts` applies them. */
export const REPLAY_STATUSES = ['failed', 'delivered', 'missing'] as const

export type ReplayStatus = (typeof REPLAY_STATUSES)[number]

export interface ReplayWebhooksInput {
  replayId: number
}

/** The state of a replay after one batch. */
export interface ReplayBatch {
  /** `full`: the maximum of its deliveries wait for their first attempt; `ended`: the replay is complete. */
  outcome: 'more' | 'full' | 'ended'
  /** The number of events in the range, and how many of them were examined so far. */
  eventCount: number
  scannedCount: number
}
