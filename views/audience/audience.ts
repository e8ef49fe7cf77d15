import { z } from 'zod'
import type { DayPeak, SeriesRow } from '../../db/audience/read-audience.ts'
import { DEFINITIONS, TIME_DEFINITION } from '../../domain/audience/definitions.ts'
import { INTERVALS, startsOf, type Interval } from '../../domain/audience/ranges.ts'
import { PARTS } from '../../domain/audience/session-measures.ts'
import { addTotals, noTotals, type Totals } from '../../domain/audience/totals.ts'
import { isoUtc, monthStart } from '../../domain/timestamps.ts'
import { day, timestamp } from '../values.ts'
import { shareOf } from './values.ts'

/** By what a series is counted. */
export const audienceInterval = z.enum(INTERVALS).meta({ id: 'AudienceInterval' })

const count = (description: string) => z.int().meta({ description })
const share = (description: string) => z.number().nullable().meta({ description })
const seconds = (description: string) => z.number().nullable().meta({ description })

const totalsSchema = z
  .strictObject({
    plays: count(DEFINITIONS.plays),
    viewers: count(DEFINITIONS.viewers),
    is_viewers_exact: z.boolean().meta({ description: 'False if `viewers` is an estimate.' }),
    watch_seconds: z.number().meta({ description: DEFINITIONS.watch_seconds }),
    average_view_seconds: seconds(DEFINITIONS.average_view_seconds),
    average_watched: share(DEFINITIONS.average_watched),
    completions: count(DEFINITIONS.completions),
    completion_rate: share(DEFINITIONS.completion_rate),
    errors: count(DEFINITIONS.errors),
    error_rate: share(DEFINITIONS.error_rate),
    stall_ratio: share(DEFINITIONS.stall_ratio),
    first_frame_seconds: seconds(DEFINITIONS.first_frame_seconds),
    first_frame_p50_seconds: seconds(
      'The time within which half of the plays have begun; at most 20 % too long.',
    ),
    first_frame_p95_seconds: seconds(
      'The time within which 95 % of the plays have begun; at most 20 % too long.',
    ),
    peak_sessions: count(DEFINITIONS.peak_sessions),
  })
  .meta({ id: 'AudienceTotals' })

/** A point of the series. */
export const pointSchema = z
  .strictObject({
    start: timestamp('The start of the hour, the day or the month, in UTC.'),
    plays: count(DEFINITIONS.plays),
    viewers: z
      .int()
      .nullable()
      .meta({ description: 'Of a day, exact; null for an hour or a month.' }),
    watch_seconds: z.number().meta({ description: DEFINITIONS.watch_seconds }),
    completions: count(DEFINITIONS.completions),
    errors: count(DEFINITIONS.errors),
    peak_sessions: z
      .int()
      .nullable()
      .meta({ description: `${DEFINITIONS.peak_sessions} Null for an hour.` }),
  })
  .meta({ id: 'AudiencePoint' })

/** The audience of an account or of a video in a range. */
export const audienceSchema = z
  .strictObject({
    object: z.literal('audience'),
    video_id: z.string().nullable().meta({ description: 'Null for all videos of the account.' }),
    from: day,
    to: day,
    interval: audienceInterval,
    totals: totalsSchema,
    previous_totals: totalsSchema.meta({
      description: 'Of the same number of days before `from`.',
    }),
    series: z.array(pointSchema).meta({ description: TIME_DEFINITION }),
  })
  .meta({ id: 'Audience' })

/** What is read of one range. */
export interface RangeFacts {
  sums: Totals
  viewers: number
  isViewersExact: boolean
  firstFrameP50Ms: number | null
  firstFrameP95Ms: number | null
  peak: number
}

/** What is read for the audience object. */
export interface AudienceFacts {
  videoId: string | null
  from: string
  to: string
  interval: Interval
  range: RangeFacts
  previous: RangeFacts
  /** By days or by hours, those with something. */
  rows: SeriesRow[]
  peaks: DayPeak[]
}

/** The audience object; hours, days and months without plays are included, with zeros. */
export const audienceView = (facts: AudienceFacts): z.output<typeof audienceSchema> => ({
  object: 'audience',
  video_id: facts.videoId,
  from: facts.from,
  to: facts.to,
  interval: facts.interval,
  totals: totalsView(facts.range),
  previous_totals: totalsView(facts.previous),
  series: seriesView(facts),
})

function totalsView({ sums, ...facts }: RangeFacts): z.output<typeof totalsSchema> {
  return {
    plays: sums.plays,
    viewers: facts.viewers,
    is_viewers_exact: facts.isViewersExact,
    watch_seconds: sums.watchedMs / 1000,
    average_view_seconds: secondsOf(shareOf(sums.watchedMs, sums.plays)),
    average_watched: shareOf(sums.watchedParts, sums.measuredPlays * PARTS),
    completions: sums.completions,
    completion_rate: shareOf(sums.completions, sums.measuredPlays),
    errors: sums.errors,
    error_rate: shareOf(sums.errors, sums.attempts),
    stall_ratio: shareOf(sums.stalledMs, sums.stalledMs + sums.watchedMs),
    first_frame_seconds: secondsOf(shareOf(sums.firstFrameMs, sums.firstFrames)),
    first_frame_p50_seconds: secondsOf(facts.firstFrameP50Ms),
    first_frame_p95_seconds: secondsOf(facts.firstFrameP95Ms),
    peak_sessions: facts.peak,
  }
}

const secondsOf = (ms: number | null): number | null => (ms === null ? null : Math.round(ms) / 1000)

interface Point {
  totals: Totals
  viewers: number
  peak: number
}

function seriesView({
  from,
  to,
  interval,
  rows,
  peaks,
}: AudienceFacts): z.output<typeof pointSchema>[] {
  const startOf = (start: string): string => (interval === 'month' ? monthStart(start) : start)
  const points = new Map<string, Point>()
  for (const start of startsOf(from, to, interval))
    points.set(start, { totals: noTotals(), viewers: 0, peak: 0 })
  for (const { start, viewers, ...totals } of rows) {
    const point = points.get(startOf(start))
    if (!point) continue
    addTotals(point.totals, totals)
    point.viewers += viewers ?? 0
  }
  for (const { day: start, sessions } of peaks) {
    const point = points.get(startOf(start))
    if (point) point.peak = Math.max(point.peak, sessions)
  }
  return [...points].map(([start, { totals, viewers, peak }]) => ({
    start: isoUtc(new Date(interval === 'hour' ? `${start}:00Z` : `${start}T00:00Z`)),
    plays: totals.plays,
    viewers: interval === 'day' ? viewers : null,
    watch_seconds: totals.watchedMs / 1000,
    completions: totals.completions,
    errors: totals.errors,
    peak_sessions: interval === 'hour' ? null : peak,
  }))
}
