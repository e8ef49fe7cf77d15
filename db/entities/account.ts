import { defineEntity, p } from '@mikro-orm/core'
import type { BillingCycle } from '../../domain/accounts/payment.ts'
import type { Protection } from '../../domain/accounts/plan.ts'
import type { Scope } from '../../domain/accounts/scopes.ts'
import type { DrmSystemName } from '../../domain/drm/drm-system.ts'
import type { OutputProtection } from '../../domain/drm/licence-policy.ts'
import type { PlayerSettings } from '../../domain/settings/player-settings.ts'

export const AccountSchema = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    settings: p.json<PlayerSettings>(),
    /** Grows with each change of the settings; a save of an older version is refused. */
    settingsVersion: p.integer().default(1),
    /** The viewer-token signing secret, sealed (`security/sealing/secret-contexts.ts`). */
    sealedSigningSecret: p.text(),
    /** Grows with each rotation; playback sessions are bound to it. */
    signingSecretVersion: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
    /** Months before it have their rows in `audience_month`; null before the first was looked at. */
    audienceClosedBefore: p.date().strictNullable(),
    /** When its deletion began; a workflow removes its rows. */
    deletedAt: p.datetime().strictNullable(),
  },
})

export class Account extends AccountSchema.class {}
AccountSchema.setClass(Account)

export const PlanSchema = defineEntity({
  name: 'Plan',
  tableName: 'plan',
  properties: {
    accountId: p.integer().primary(),
    protection: p.text().$type<Protection>(),
    isActive: p.boolean().default(true),
    /** Null if storage is not limited. */
    storageLimitBytes: p.bigint('number').strictNullable(),
    /** Limits each calendar month; null if not limited. */
    bandwidthLimitBytes: p.bigint('number').strictNullable(),
    /** Limits each calendar month; null if not limited. */
    encodingLimitMinutes: p.integer().strictNullable(),
    endsAt: p.datetime().strictNullable(),
    // The policy of Multi-DRM licences (`domain/drm/licence-policy.ts`).
    hdNeedsHardware: p.boolean().default(false),
    uhdNeedsHardware: p.boolean().default(false),
    outputProtection: p.text().$type<OutputProtection>().default('none'),
    licenceSeconds: p.integer().default(86_400),
    renewalSeconds: p.integer().strictNullable(),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
})

export class Plan extends PlanSchema.class {}
PlanSchema.setClass(Plan)

export const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.integer().primary().autoincrement(),
    accountId: p.integer(),
    name: p.text().default(''),
    hash: p.text().unique(),
    hint: p.text(),
    scopes: p.array<Scope>(),
    createdAt: p.datetime().defaultRaw('now()'),
    revokedAt: p.datetime().strictNullable(),
  },
})

export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey)

export const ApiKeyRateSchema = defineEntity({
  name: 'ApiKeyRate',
  tableName: 'api_key_rate',
  properties: {
    keyId: p.integer().primary(),
    minuteCount: p.integer().default(1),
    minuteEndsAt: p.datetime(),
    dayCount: p.integer().default(1),
    dayEndsAt: p.datetime(),
  },
})

export const UsageDaySchema = defineEntity({
  name: 'UsageDay',
  tableName: 'usage_day',
  properties: {
    accountId: p.integer().primary(),
    /** YYYY-MM-DD, in UTC. */
    day: p.date().primary(),
    bandwidthBytes: p.bigint('number').default(0),
    encodedMs: p.bigint('number').default(0),
  },
})

export const RevokedViewerSchema = defineEntity({
  name: 'RevokedViewer',
  tableName: 'revoked_viewer',
  properties: {
    accountId: p.integer().primary(),
    viewerId: p.text().primary(),
    revokedAt: p.datetime().defaultRaw('now()'),
  },
})

/** A viewer whose tokens the account no longer accepts. */
export class RevokedViewer extends RevokedViewerSchema.class {}
RevokedViewerSchema.setClass(RevokedViewer)

export const StreamLeaseSchema = defineEntity({
  name: 'StreamLease',
  tableName: 'stream_lease',
  properties: {
    accountId: p.integer().primary(),
    viewerId: p.text().primary(),
    leases: p.json<StreamLeaseEntry[]>().defaultRaw("'[]'"),
    renewedAt: p.datetime().defaultRaw('now()'),
  },
})

/** A playback session that may get keys and licences until its lease expires. */
export interface StreamLeaseEntry {
  session: string
  /** When the page was sent, in milliseconds since 1970. */
  started: number
  /** The last grant or heartbeat, in milliseconds since 1970. */
  renewed: number
}

/** The leases of one viewer, oldest taken first (`db/playback/write-stream-leases.ts`). */
export class StreamLease extends StreamLeaseSchema.class {}
StreamLeaseSchema.setClass(StreamLease)

export const DrmDeviceSchema = defineEntity({
  name: 'DrmDevice',
  tableName: 'drm_device',
  properties: {
    accountId: p.integer().primary(),
    /** As the DRM provider names it; a longer or unreadable name as its hash (`domain/drm/drm-device.ts`). */
    deviceId: p.text().primary(),
    /** Null until it has asked for a licence. */
    system: p.text().$type<DrmSystemName>().strictNullable(),
    /** Of its last licence request; null if that had no verified viewer. */
    viewerId: p.text().strictNullable(),
    firstSeenAt: p.datetime().defaultRaw('now()'),
    lastSeenAt: p.datetime().defaultRaw('now()'),
    revokedAt: p.datetime().strictNullable(),
  },
})

/** A device that the DRM provider has named. A revoked one gets no licence. */
export class DrmDevice extends DrmDeviceSchema.class {}
DrmDeviceSchema.setClass(DrmDevice)

export const IdempotencyRecordSchema = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_record',
  properties: {
    accountId: p.integer().primary(),
    route: p.text().primary(),
    key: p.text().primary(),
    /** SHA-256 of the request body; the same key with another body is refused. */
    fingerprint: p.text(),
    /** Null while the first request is running. */
    responseStatus: p.integer().strictNullable(),
    /** Sealed, because some responses carry a secret that is shown once. */
    sealedResponse: p.text().strictNullable(),
    /** Of the object in the response; null if it has none. */
    etag: p.text().strictNullable(),
    /** Identifies the request that holds the key; after this time a repeat may take the key over. */
    lockedUntil: p.datetime(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class IdempotencyRecord extends IdempotencyRecordSchema.class {}
IdempotencyRecordSchema.setClass(IdempotencyRecord)

export const PaymentSchema = defineEntity({
  name: 'Payment',
  tableName: 'payment',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.integer(),
    /** In the smallest unit of the currency. */
    amount: p.bigint('number'),
    /** ISO 4217, lowercase. */
    currency: p.text(),
    planType: p.text(),
    billingCycle: p.text().$type<BillingCycle>(),
    /** Identifies the payment at its source, such as `stripe:in_1Abc`; unique. */
    reference: p.text().unique(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class Payment extends PaymentSchema.class {}
PaymentSchema.setClass(Payment)
