/** Which events of its range a replay sends again; `commands/webhooks/append-replay-batch.ts` has the rule. */
export const REPLAY_STATUSES = ['failed', 'delivered', 'missing'] as const

export type ReplayStatus = (typeof REPLAY_STATUSES)[number]

export interface ReplayWebhooksInput {
  replayId: number
}

/** The state of a replay after one batch. */
export interface ReplayBatch {
  /** `full`: enough of its deliveries wait for their first attempt; `ended`: nothing is left to do. */
  outcome: 'more' | 'full' | 'ended'
  /** Events of the range, and how many of them were looked at so far. */
  eventCount: number
  scannedCount: number
}
