import { defineEntity, p } from '@mikro-orm/core'
import type { ReplayStatus } from '../../domain/webhooks/webhook-delivery.ts'

export const WebhookReplaySchema = defineEntity({
  name: 'WebhookReplay',
  tableName: 'webhook_replay',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.integer(),
    /** Null for every endpoint of the account. */
    endpointId: p.bigint('number').strictNullable(),
    since: p.datetime(),
    until: p.datetime(),
    status: p.text().$type<ReplayStatus>(),
    state: p.text().$type<'running' | 'completed' | 'cancelled'>().default('running'),
    /** The number of events in the range at the request, and how many of them have been read. */
    eventCount: p.integer(),
    scannedCount: p.integer().default(0),
    /** The event that was read last. */
    lastCreatedAt: p.datetime().strictNullable(),
    lastEventId: p.text().strictNullable(),
    /** Events of this transaction and later ones are not part of it, whatever their times say. */
    endTransactionId: p.text().defaultRaw('pg_current_xact_id()'),
    createdAt: p.datetime().defaultRaw('now()'),
    completedAt: p.datetime().strictNullable(),
  },
})

/**
 * How many deliveries of a replay to one endpoint exist or existed, and how many have ended. Triggers of
 * `webhook_delivery` keep the numbers (ADR 0047).
 */
export const WebhookReplayCountSchema = defineEntity({
  name: 'WebhookReplayCount',
  tableName: 'webhook_replay_count',
  properties: {
    replayId: p.bigint('number').primary(),
    endpointId: p.bigint('number').primary(),
    /** The remainder of a delivery's id, so that deliveries that end at the same time change different rows. */
    shard: p.integer().primary(),
    /** All of them in shard 0. */
    created: p.integer().default(0),
    delivered: p.integer().default(0),
    failed: p.integer().default(0),
  },
})

export class WebhookReplay extends WebhookReplaySchema.class {}
WebhookReplaySchema.setClass(WebhookReplay)
