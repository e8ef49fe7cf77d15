import { defineEntity, p } from '@mikro-orm/core'
import type { ReplayStatus } from '../../domain/webhook-delivery.ts'

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
    createdAt: p.datetime().defaultRaw('now()'),
    completedAt: p.datetime().strictNullable(),
  },
})

export class WebhookReplay extends WebhookReplaySchema.class {}
WebhookReplaySchema.setClass(WebhookReplay)
