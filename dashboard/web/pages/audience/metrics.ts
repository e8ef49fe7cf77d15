import type { Interval } from '../../../../domain/audience/ranges.ts'
import type { AudiencePoint, AudienceTotals } from '../../api/audience.ts'
import type { Formats } from '../../parts/text/formats.ts'
import type { AudienceWords } from './locales/en.ts'
import type { Metric } from './search.ts'

interface MetricFacts {
  /** What the number means, in the words of the API. */
  definitions: readonly (keyof AudienceWords['definitions'])[]
  /** Null if nothing says anything about it. */
  valueOf: (totals: AudienceTotals) => number | null
  /** A second number beside the first, as text. */
  noteOf?: (totals: AudienceTotals, formats: Formats) => string | null
  /** The value of a point; null if points of an interval have none. */
  pointOf?: (point: AudiencePoint) => number | null
  text: keyof Pick<Formats, 'number' | 'hours' | 'duration' | 'share'>
  /** True if less is better. */
  isBad?: true
}

const HALF = 0.5

/** Null without plays, in the total as in a point. */
const average = ({ plays, watch_seconds: seconds }: AudiencePoint): number =>
  plays > 0 ? seconds / plays : 0

export const METRIC_FACTS: Record<Metric, MetricFacts> = {
  plays: {
    definitions: ['plays'],
    valueOf: ({ plays }) => plays,
    pointOf: ({ plays }) => plays,
    text: 'number',
  },
  viewers: {
    definitions: ['viewers'],
    valueOf: ({ viewers }) => viewers,
    pointOf: ({ viewers }) => viewers,
    text: 'number',
  },
  watch: {
    definitions: ['watch_seconds'],
    valueOf: ({ watch_seconds: seconds }) => seconds,
    pointOf: ({ watch_seconds: seconds }) => seconds,
    text: 'hours',
  },
  view: {
    definitions: ['average_view_seconds'],
    valueOf: (totals) => totals.average_view_seconds,
    pointOf: average,
    text: 'duration',
  },
  watched: {
    definitions: ['average_watched'],
    valueOf: (totals) => totals.average_watched,
    text: 'share',
  },
  completions: {
    definitions: ['completions', 'completion_rate'],
    valueOf: ({ completions }) => completions,
    noteOf: ({ completion_rate: rate }, { share }) => (rate === null ? null : share(rate)),
    pointOf: ({ completions }) => completions,
    text: 'number',
  },
  peak: {
    definitions: ['peak_sessions'],
    valueOf: (totals) => totals.peak_sessions,
    pointOf: (point) => point.peak_sessions,
    text: 'number',
  },
  errors: {
    definitions: ['errors', 'error_rate'],
    valueOf: ({ errors }) => errors,
    noteOf: ({ error_rate: rate }, { share }) => (rate === null ? null : share(rate)),
    pointOf: ({ errors }) => errors,
    text: 'number',
    isBad: true,
  },
  stalls: {
    definitions: ['stall_ratio'],
    valueOf: (totals) => totals.stall_ratio,
    text: 'share',
    isBad: true,
  },
  start: {
    definitions: ['first_frame_seconds'],
    valueOf: (totals) => totals.first_frame_p95_seconds,
    noteOf: ({ first_frame_p50_seconds: half }, { share, hours }) =>
      half === null ? null : `${share(HALF)}: ${hours(half)}`,
    text: 'hours',
    isBad: true,
  },
}

/** Points of an hour have no viewers and no most at once, and those of a month no viewers. */
const WITHOUT: Record<Interval, readonly Metric[]> = {
  hour: ['viewers', 'peak'],
  day: [],
  month: ['viewers'],
}

/** True if a chart can show the metric. */
export const isCharted = (metric: Metric, interval: Interval): boolean =>
  METRIC_FACTS[metric].pointOf !== undefined && !WITHOUT[interval].includes(metric)

/** How much more a value is than the one before, as a share; null if there is nothing to compare with. */
export function changeOf(now: number | null, before: number | null): number | null {
  if (now === null || before === null || before === 0) return null
  return (now - before) / before
}

/** True if there was something to compare with. */
export const hasSomething = ({ plays, errors }: AudienceTotals): boolean => plays + errors > 0
