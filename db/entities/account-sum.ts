import { defineEntity, p } from '@mikro-orm/core'

/** What is counted of an account: bytes, and its videos by status, without those that are deleted. */
const SUMS = {
  /** Of videos. */
  usedBytes: p.bigint('number').default(0),
  reservedBytes: p.bigint('number').default(0),
  queuedCount: p.bigint('number').default(0),
  processingCount: p.bigint('number').default(0),
  playableCount: p.bigint('number').default(0),
  readyCount: p.bigint('number').default(0),
  failedCount: p.bigint('number').default(0),
  captionBytes: p.bigint('number').default(0),
}

/** The sums of an account up to the last fold (ADR 0061). An account without a row is not counted yet. */
export const AccountSumSchema = defineEntity({
  name: 'AccountSum',
  tableName: 'account_sum',
  properties: {
    accountId: p.integer().primary(),
    /** Grows with each change: a repair writes only to the version that it has read. */
    version: p.bigint('number').default(0),
    ...SUMS,
    updatedAt: p.datetime().defaultRaw('now()'),
  },
})

/** What one statement has added to the sums of an account. Triggers of `video` and `caption` insert them; a fold deletes them. */
export const AccountSumDeltaSchema = defineEntity({
  name: 'AccountSumDelta',
  tableName: 'account_sum_delta',
  properties: {
    accountId: p.integer().primary(),
    id: p.bigint('number').primary().defaultRaw("nextval('account_sum_delta_id_seq')"),
    ...SUMS,
  },
})
