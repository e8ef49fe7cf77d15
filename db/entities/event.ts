import { defineEntity, p } from '@mikro-orm/core'
import type { SessionMeasures } from '../../domain/audience/session-measures.ts'
import type { FailureCause } from '../../domain/failure-causes.ts'
import type { EventType, SecuritySeverity } from '../../domain/webhooks/events.ts'
import type { DeliveryErrorCode, DisabledReason } from '../../domain/webhooks/webhook-delivery.ts'

export const EventSchema = defineEntity({
  name: 'Event',
  tableName: 'event',
  properties: {
    /** `evt_` and 32 characters of lowercase hex. */
    id: p.text().primary(),
    accountId: p.integer(),
    type: p.text().$type<EventType>(),
    /** The exact bytes of the envelope, which every attempt of every delivery sends. */
    body: p.text(),
    /** The HTTP request that caused it; null if none did. */
    requestId: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** The order in which readers follow events: by transaction, then by number (`db/webhooks/events.ts`). */
    transactionId: p.text().defaultRaw('pg_current_xact_id()').lazy(),
    number: p.bigint('number').defaultRaw("nextval('event_number_seq')").lazy(),
  },
})

export class Event extends EventSchema.class {}
EventSchema.setClass(Event)

/** Before which transaction all events of this database are settled; one row (`db/webhooks/settled-events.ts`). */
export const EventWatermarkSchema = defineEntity({
  name: 'EventWatermark',
  tableName: 'event_watermark',
  properties: {
    id: p.smallint().primary(),
    settledBefore: p.text(),
    /** The transaction that wrote the row. */
    writtenBy: p.text(),
  },
})

/** The kinds of workflow requests. One row for each request, deleted once Temporal has it. */
export type WorkflowRequestKind =
  | 'ingest-video'
  | 'delete-video'
  | 'deliver-webhook'
  | 'retry-delivery'
  | 'cancel-delivery'
  | 'replay-webhooks'
  | 'import-videos'
  | 'rotate-master-key'
  | 'set-poster'
  | 'delete-account'
  | 'settle-endpoint'
  | 'deliver-statements'

export const OutboxSchema = defineEntity({
  name: 'Outbox',
  tableName: 'outbox',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    command: p.text().$type<WorkflowRequestKind>(),
    /**
     * The id of a video, of a delivery, a replay, an import, an endpoint or an account as text, `<video id>/<number>` of an uploaded
     * poster, or a version of the master key.
     */
    subjectId: p.text(),
    /** 0 for work of the whole installation. */
    accountId: p.integer(),
    attempts: p.integer().default(0),
    /** The HTTP request that caused it; null if none did. */
    requestId: p.text().strictNullable(),
    /** When the relay may try next. */
    dueAt: p.datetime().defaultRaw('now()'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

/** A secret that a rotation replaced. */
export interface PreviousSecret {
  sealed_secret: string
  /** ISO 8601. */
  valid_until: string
}

export const WebhookEndpointSchema = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.integer(),
    url: p.text(),
    description: p.text().default(''),
    events: p.array<EventType>(),
    isActive: p.boolean().default(true),
    /** Null if and only if the endpoint is active. */
    disabledReason: p.text().$type<DisabledReason>().strictNullable(),
    /** Consecutive failed attempts. */
    failureCount: p.integer().default(0),
    /** The last 2xx response; before the first one, the creation or the latest activation. */
    lastSuccessAt: p.datetime().defaultRaw('now()'),
    /** Sealed (`security/sealing/secret-contexts.ts`). */
    sealedSecret: p.text(),
    /** Earlier secrets that still sign too, newest first. */
    previousSecrets: p.json<PreviousSecret[]>().defaultRaw("'[]'"),
    /** Pending deliveries created until then end as `endpoint_disabled`; null once all of them have ended. */
    cutOffAt: p.datetime().strictNullable(),
    /** From then on no read finds the endpoint or its deliveries; a workflow removes their rows. */
    deletedAt: p.datetime().strictNullable(),
    /** Grows with each change of what the object shows of the row (ADR 0051). A trigger counts it. */
    version: p.integer().default(1),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
})

export class WebhookEndpoint extends WebhookEndpointSchema.class {}
WebhookEndpointSchema.setClass(WebhookEndpoint)

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

export const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.integer(),
    endpointId: p.bigint('number'),
    eventId: p.text(),
    /** The number of its event, which names the partition; null for a delivery that an earlier release created. */
    eventNumber: p.bigint('number').strictNullable().lazy(),
    eventType: p.text().$type<EventType>(),
    status: p.text().$type<DeliveryStatus>().default('pending'),
    attemptCount: p.integer().default(0),
    nextRetryAt: p.datetime().strictNullable(),
    errorCode: p.text().$type<DeliveryErrorCode>().strictNullable(),
    /** When an attempt outside the schedule was requested that is not recorded yet. */
    retryRequestedAt: p.datetime().strictNullable(),
    /** The ended delivery that it repeats. */
    retryOf: p.bigint('number').strictNullable(),
    /** The replay that created it. */
    replayId: p.bigint('number').strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    completedAt: p.datetime().strictNullable(),
  },
})

export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery)

/** Milliseconds of each phase of a request; `firstByteMs` counts from the end of TLS. */
export interface AttemptTimings {
  dnsMs?: number
  connectMs?: number
  tlsMs?: number
  firstByteMs?: number
}

export const WebhookAttemptSchema = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempt',
  properties: {
    deliveryId: p.bigint('number').primary(),
    /** 1 for the first. */
    number: p.integer().primary(),
    trigger: p.text().$type<'schedule' | 'manual'>().default('schedule'),
    startedAt: p.datetime(),
    durationMs: p.integer(),
    responseStatus: p.integer().strictNullable(),
    errorCode: p.text().$type<DeliveryErrorCode>().strictNullable(),
    /** What is wrong with the receiver, if that is known more precisely than by the code. */
    errorCause: p.text().$type<FailureCause>().strictNullable(),
    /** Cause and remedy for the integrator, without the URL and addresses. */
    errorMessage: p.text().strictNullable(),
    /** The response headers that help with debugging, by lowercase name. */
    responseHeaders: p.json<Record<string, string>>(),
    /** The first 16 KiB of the response, as text. */
    responseBody: p.text().strictNullable(),
    /** How its bytes became text: `utf-8`, `gzip, windows-1252`. */
    responseEncoding: p.text().strictNullable(),
    remoteIp: p.text().strictNullable(),
    /** The durations of the completed phases. */
    timings: p.json<AttemptTimings>(),
    /** The state and the end of its delivery, which name the partition (ADR 0058). */
    deliveryStatus: p.text().$type<DeliveryStatus>().default('pending').lazy(),
    deliveryCompletedAt: p.datetime().strictNullable().lazy(),
  },
})

export class WebhookAttempt extends WebhookAttemptSchema.class {}
WebhookAttemptSchema.setClass(WebhookAttempt)

export const SecurityEventSchema = defineEntity({
  name: 'SecurityEvent',
  tableName: 'security_event',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.integer(),
    eventType: p.text(),
    severity: p.text().$type<SecuritySeverity>(),
    videoId: p.text().strictNullable(),
    viewerId: p.text().strictNullable(),
    /** Facts for the operator; no secrets, no tokens. */
    details: p.json<Record<string, unknown>>(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class SecurityEvent extends SecurityEventSchema.class {}
SecurityEventSchema.setClass(SecurityEvent)

/** What the player has measured (`domain/audience/session-measures.ts`), and how far it is counted (ADR 0065). */
const MEASURED = {
  mediaMs: p.integer().default(0),
  parts: p.text().strictNullable().lazy(),
  replayedParts: p.text().strictNullable().lazy(),
  /** `packStretches`. */
  stretches: p.uint8array().strictNullable().lazy(),
  firstFrameMs: p.integer().strictNullable(),
  stalls: p.integer().default(0),
  stalledMs: p.integer().default(0),
  quality: p.integer().strictNullable(),
  speed: p.integer().strictNullable(),
  error: p.text().strictNullable(),
  /** False once all of it is counted; a trigger makes it true, and keeps what was counted, when the session goes on. */
  isOpen: p.boolean().default(true).lazy(),
  counted: p.json<SessionMeasures>().strictNullable().lazy(),
  countedAt: p.datetime().strictNullable().lazy(),
}

export const PlaybackSessionSchema = defineEntity({
  name: 'PlaybackSession',
  tableName: 'playback_record',
  properties: {
    /** A random UUID. The time of its start is part of the key, because it says in which partition the row is. */
    id: p.uuid().primary(),
    accountId: p.integer(),
    videoId: p.text(),
    /** The server-verified viewer id; null for playback without a token. */
    viewerId: p.text().strictNullable(),
    signingSecretVersion: p.integer(),
    refererHost: p.text().strictNullable(),
    userAgent: p.text().strictNullable(),
    keyGrants: p.integer().default(0),
    startedAt: p.datetime().defaultRaw('now()'),
    lastSeenAt: p.datetime().defaultRaw('now()'),
    /** The last position; null until the player reports one. */
    positionMs: p.integer().strictNullable(),
    /** Playing time by wall clock. Reported by the player, within bounds. */
    watchedMs: p.integer().default(0),
    /** Reported by the player. The account's usage counts the bytes that the player host sent instead. */
    bytesLoaded: p.bigint('number').default(0),
    /** Set if the session was ended early. */
    endedAt: p.datetime().strictNullable(),
    /** The security events already recorded for it, so that each is recorded once. */
    noted: p.array<string>().defaultRaw("'{}'"),
    ...MEASURED,
  },
})

export class PlaybackSession extends PlaybackSessionSchema.class {}
PlaybackSessionSchema.setClass(PlaybackSession)
