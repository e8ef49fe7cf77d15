import { valuesOf, type BreakdownKind, type SessionOrigin } from './breakdown.ts'
import { creditedParts, PARTS, type SessionMeasures } from './session-measures.ts'
import { addTotals, isNothing, noTotals, totalsOf, type Totals } from './totals.ts'

/** In place of a video id, for the sums of a whole account. */
export const ALL_VIDEOS = ''

const HOUR_MS = 3_600_000
const DAY_HOURS = 24

/** A playback session that is counted: what it is now, and what of it is counted already. */
export interface SessionToCount extends SessionOrigin {
  accountId: number
  videoId: string
  /** Its hour, day and month are those of its start, in UTC. */
  startedAtMs: number
  measures: SessionMeasures
  /** Null if nothing is counted yet. */
  counted: SessionMeasures | null
  /** Of the video; null while it is not known. */
  durationMs: number | null
}

/** What is added to an hour of a video, or of all videos (`ALL_VIDEOS`) of an account. */
export interface HourDelta {
  accountId: number
  videoId: string
  /** Since 1970. */
  hour: number
  totals: Totals
}

/** What is added to a value of a breakdown. */
export interface ValueDelta {
  accountId: number
  videoId: string
  /** Since 1970. */
  day: number
  kind: BreakdownKind
  value: string
  plays: number
  watchedMs: number
}

/** What is added to the retention curve of a video in a month. */
export interface RetentionDelta {
  accountId: number
  videoId: string
  /** The first day of the month, since 1970. */
  monthDay: number
  views: number
  /** For each hundredth, how many sessions showed it, and how many showed it again. */
  parts: number[]
  replays: number[]
}

/** What sessions add to the sums. */
export interface AudienceDeltas {
  hours: HourDelta[]
  values: ValueDelta[]
  retention: RetentionDelta[]
}

/** The day of a time, since 1970, in UTC. */
export const dayOf = (atMs: number): number => Math.floor(atMs / (DAY_HOURS * HOUR_MS))

/** The day of an hour. */
export const dayOfHour = (hour: number): number => Math.floor(hour / DAY_HOURS)

/** Returns the first day of the month of a day; both since 1970. */
export function monthDayOf(day: number): number {
  const at = new Date(day * DAY_HOURS * HOUR_MS)
  return dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
}

/** Returns the measures of a session with the parts that it is credited with. */
export const creditedMeasures = ({ measures, durationMs }: SessionToCount): SessionMeasures => {
  const parts = creditedParts(measures, durationMs)
  return { ...measures, parts, replayedParts: parts === null ? null : measures.replayedParts }
}

interface Sums {
  hours: Map<string, HourDelta>
  values: Map<string, ValueDelta>
  retention: Map<string, RetentionDelta>
}

/**
 * Adds up what sessions change: the difference between what each one is now and what is counted of it. Sums of nothing are left
 * out. The result does not depend on the order of the sessions.
 */
export function foldSessions(sessions: readonly SessionToCount[]): AudienceDeltas {
  const sums: Sums = { hours: new Map(), values: new Map(), retention: new Map() }
  for (const session of sessions) {
    if (session.counted) foldState(sums, session, session.counted, -1)
    foldState(sums, session, creditedMeasures(session), 1)
  }
  return {
    hours: [...sums.hours.values()].filter(({ totals }) => !isNothing(totals)),
    values: [...sums.values.values()].filter(
      ({ plays, watchedMs }) => plays !== 0 || watchedMs !== 0,
    ),
    retention: [...sums.retention.values()].filter(({ views, parts, replays }) =>
      [views, ...parts, ...replays].some((count) => count !== 0),
    ),
  }
}

/** Adds what a session is, or takes away what it was. */
function foldState(
  sums: Sums,
  session: SessionToCount,
  measures: SessionMeasures,
  sign: 1 | -1,
): void {
  const { accountId, startedAtMs } = session
  const hour = Math.floor(startedAtMs / HOUR_MS)
  const day = dayOfHour(hour)
  const totals = totalsOf(measures, measures.parts)
  const values = valuesOf(session, measures)
  for (const videoId of [session.videoId, ALL_VIDEOS]) {
    const of = { accountId, videoId }
    const sum = entry(sums.hours, [accountId, videoId, hour], () => ({
      ...of,
      hour,
      totals: noTotals(),
    }))
    addTotals(sum.totals, totals, sign)
    for (const { kind, value, plays, watchedMs } of values) {
      const make = (): ValueDelta => ({ ...of, day, kind, value, plays: 0, watchedMs: 0 })
      const count = entry(sums.values, [accountId, videoId, day, kind, value], make)
      count.plays += sign * plays
      count.watchedMs += sign * watchedMs
    }
  }
  if (totals.measuredPlays === 1) foldRetention(sums, session, measures, sign)
}

function foldRetention(
  { retention }: Sums,
  { accountId, videoId, startedAtMs }: SessionToCount,
  { parts, replayedParts }: SessionMeasures,
  sign: 1 | -1,
): void {
  const monthDay = monthDayOf(dayOf(startedAtMs))
  const zeros = (): number[] => Array<number>(PARTS).fill(0)
  const make = (): RetentionDelta => ({
    accountId,
    videoId,
    monthDay,
    views: 0,
    parts: zeros(),
    replays: zeros(),
  })
  const sum = entry(retention, [accountId, videoId, monthDay], make)
  sum.views += sign
  for (let at = 0; at < PARTS; at += 1) {
    if (parts?.[at] === '1') sum.parts[at] = (sum.parts[at] ?? 0) + sign
    if (replayedParts?.[at] === '1') sum.replays[at] = (sum.replays[at] ?? 0) + sign
  }
}

function entry<Value>(map: Map<string, Value>, key: readonly unknown[], make: () => Value): Value {
  const name = key.join(' ')
  const found = map.get(name) ?? make()
  map.set(name, found)
  return found
}
