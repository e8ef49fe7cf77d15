import { defineEntity, p } from '@mikro-orm/core'
import type { BreakdownKind } from '../../domain/audience/breakdown.ts'

/** Whose sums these are. */
const OF = {
  accountId: p.integer().primary(),
  /** Empty for all videos of the account. */
  videoId: p.text().primary(),
}

/** `domain/audience/totals.ts`. */
const TOTALS = {
  plays: p.bigint('number').default(0),
  attempts: p.bigint('number').default(0),
  errors: p.bigint('number').default(0),
  watchedMs: p.bigint('number').default(0),
  mediaMs: p.bigint('number').default(0),
  measuredPlays: p.bigint('number').default(0),
  watchedParts: p.bigint('number').default(0),
  completions: p.bigint('number').default(0),
  stalls: p.bigint('number').default(0),
  stalledMs: p.bigint('number').default(0),
  firstFrames: p.bigint('number').default(0),
  firstFrameMs: p.bigint('number').default(0),
}

/** What the sessions that began in an hour add up to. */
export const AudienceHourSchema = defineEntity({
  name: 'AudienceHour',
  tableName: 'audience_hour',
  properties: { ...OF, hour: p.datetime().primary(), ...TOTALS },
})

/** The same from the beginning up to the end of a day, in UTC: a range is the difference of two rows (ADR 0065). */
export const AudienceDaySchema = defineEntity({
  name: 'AudienceDay',
  tableName: 'audience_day',
  properties: {
    ...OF,
    day: p.date().primary(),
    ...TOTALS,
    /** The viewers of each day with a play, added up. */
    viewerDays: p.bigint('number').default(0),
  },
})

/** What the plays of a day add up to for one value of a kind, such as a host. */
export const AudienceValueSchema = defineEntity({
  name: 'AudienceValue',
  tableName: 'audience_value',
  properties: {
    ...OF,
    day: p.date().primary(),
    kind: p.text().$type<BreakdownKind>().primary(),
    value: p.text().primary(),
    plays: p.bigint('number').default(0),
    watchedMs: p.bigint('number').default(0),
  },
})

/** How many plays of a month showed each hundredth of a video, and how many showed it again. */
export const AudienceRetentionSchema = defineEntity({
  name: 'AudienceRetention',
  tableName: 'audience_retention',
  properties: {
    ...OF,
    /** The first day. */
    month: p.date().primary(),
    views: p.bigint('number'),
    parts: p.array<number>(),
    replays: p.array<number>(),
  },
})

/** The viewers of a day, from which those of a range are estimated (`domain/audience/viewer-sketch.ts`). */
export const AudienceSketchSchema = defineEntity({
  name: 'AudienceSketch',
  tableName: 'audience_sketch',
  properties: { ...OF, day: p.date().primary(), sketch: p.uint8array() },
})

/** What the rows of its days say of a month that is over, so that years are not read by their days. A month without a row is. */
export const AudienceMonthSchema = defineEntity({
  name: 'AudienceMonth',
  tableName: 'audience_month',
  properties: {
    ...OF,
    /** The first day. */
    month: p.date().primary(),
    sketch: p.uint8array().strictNullable(),
    peakSessions: p.integer(),
    /** By kind and value: plays and watched milliseconds. */
    breakdown: p.json<Record<string, Record<string, [number, number]>>>(),
  },
})

/** The most sessions that played at once on a day, of counts once a minute. */
export const AudiencePeakSchema = defineEntity({
  name: 'AudiencePeak',
  tableName: 'audience_peak',
  properties: {
    ...OF,
    day: p.date().primary(),
    sessions: p.integer(),
    reachedAt: p.datetime(),
  },
})

/** `domain/audience/viewer-progress.ts`. */
const WATCHED = {
  plays: p.integer().default(0),
  watchedMs: p.bigint('number').default(0),
  firstSeenAt: p.datetime(),
  lastSeenAt: p.datetime(),
  lastDay: p.date().strictNullable(),
  recentDays: p.integer().default(0),
}

/** A viewer of an account, by the verified id. */
export const ViewerSchema = defineEntity({
  name: 'Viewer',
  tableName: 'viewer',
  properties: {
    id: p.bigint('number').defaultRaw("nextval('viewer_id_seq')"),
    accountId: p.integer().primary(),
    viewerId: p.text().primary(),
    ...WATCHED,
  },
})

/** How far a viewer is in a video. */
export const ViewerProgressSchema = defineEntity({
  name: 'ViewerProgress',
  tableName: 'viewer_progress',
  properties: {
    id: p.bigint('number').defaultRaw("nextval('viewer_progress_id_seq')"),
    accountId: p.integer().primary(),
    viewerId: p.text().primary(),
    videoId: p.text().primary(),
    ...WATCHED,
    positionMs: p.integer().strictNullable(),
    parts: p.text().strictNullable(),
    completedAt: p.datetime().strictNullable(),
  },
})

/** A viewer who is to be erased. */
export const ViewerErasureSchema = defineEntity({
  name: 'ViewerErasure',
  tableName: 'viewer_erasure',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.integer(),
    /** Null for all viewers of the account. */
    viewerId: p.text().strictNullable(),
    requestedAt: p.datetime().defaultRaw('now()'),
  },
})
