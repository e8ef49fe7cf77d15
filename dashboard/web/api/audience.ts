import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { AUDIENCE_DAYS_MAX, lastDays, type Interval } from '../../../domain/audience/ranges.ts'
import { countDays, monthStart, utcDay } from '../../../domain/timestamps.ts'
import { apiOf, unwrap, unwrapJson } from './client.ts'
import type { components } from './schema.ts'

export type Audience = components['schemas']['Audience']
export type AudienceTotals = components['schemas']['AudienceTotals']
export type AudiencePoint = components['schemas']['AudiencePoint']
export type AudienceVideo = components['schemas']['AudienceVideo']
export type AudienceValue = components['schemas']['AudienceValue']
export type AudienceOrder = components['schemas']['AudienceOrder']
export type BreakdownKind = components['schemas']['BreakdownKind']
export type Retention = components['schemas']['Retention']

/** Days up to today, and months with the current one. */
export const AUDIENCE_RANGES = ['2d', '7d', '28d', '90d', '12m'] as const

export type AudienceRange = (typeof AUDIENCE_RANGES)[number]

/** The time of an address: one of the ranges, or days of one's own. */
export interface RangeInSearch {
  range?: AudienceRange
  from?: string
  to?: string
}

/** Days in UTC, both included. */
export interface Days {
  from: string
  to: string
}

/** The range of an address without one. */
export const DEFAULT_RANGE = '28d' satisfies AudienceRange
const DAY_MS = 86_400_000
const YEAR_MONTHS = 12
/** Longer ranges have more points than a chart can show. */
const DAYS_BY_HOUR_MAX = 2
const DAYS_BY_DAY_MAX = 120
/** Numbers are some minutes late anyway. */
const FRESH_MS = 60_000
const REFRESH_MS = 120_000

const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value) ? value : undefined

const isDay = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && utcDay(Date.parse(text)) === text

/** True for days in order that are not too many. */
export const areDays = ({ from, to }: Days): boolean =>
  isDay(from) && isDay(to) && from <= to && countDays(from, to) <= AUDIENCE_DAYS_MAX

/** The time of an address; anything that it cannot mean is left out. */
export function rangeIn(search: Record<string, unknown>): RangeInSearch {
  const [from, to] = [dayIn(search.from), dayIn(search.to)]
  if (from !== undefined && to !== undefined && areDays({ from, to }))
    return { range: undefined, from, to }
  const range = AUDIENCE_RANGES.find((one) => one === search.range)
  return { range, from: undefined, to: undefined }
}

/** The range that an address without one shows; undefined for days of one's own. */
export const shownRange = ({ range, from }: RangeInSearch): AudienceRange | undefined =>
  from === undefined ? (range ?? DEFAULT_RANGE) : undefined

/** The days of a time, and by what its series is counted. */
export function daysOf(search: RangeInSearch): Days & { interval: Interval } {
  const days = namedDays(search)
  const count = countDays(days.from, days.to)
  if (count <= DAYS_BY_HOUR_MAX && isKeptByHour(days.from)) return { ...days, interval: 'hour' }
  return { ...days, interval: count <= DAYS_BY_DAY_MAX ? 'day' : 'month' }
}

function namedDays({ range = DEFAULT_RANGE, from, to }: RangeInSearch): Days {
  if (from !== undefined && to !== undefined) return { from, to }
  const now = Date.now()
  const today = utcDay(now)
  if (range === '12m') return { from: monthsBefore(today, YEAR_MONTHS - 1), to: today }
  return lastDays(now, Number.parseInt(range))
}

/** How an address has some days: by the range that has them, if there is one. */
export function searchOf({ from, to }: Days): RangeInSearch {
  const range = AUDIENCE_RANGES.find((one) => {
    const days = namedDays({ range: one })
    return days.from === from && days.to === to
  })
  return range === undefined ? { from, to } : { range }
}

/** Hours are deleted after five weeks; one day less, because the clocks may differ. */
const HOURS_KEPT_MS = 34 * DAY_MS
const isKeptByHour = (day: string): boolean => Date.parse(day) > Date.now() - HOURS_KEPT_MS

function monthsBefore(day: string, months: number): string {
  const start = new Date(monthStart(day))
  start.setUTCMonth(start.getUTCMonth() - months)
  return utcDay(start.getTime())
}

/** What a query is about. */
interface Of extends Days {
  /** Absent for all videos. */
  video?: string
}

const shared = { placeholderData: keepPreviousData, staleTime: FRESH_MS } as const
const CSV = { headers: { Accept: 'text/csv' }, parseAs: 'text' } as const

const seriesOf = ({ video, ...query }: Of & { interval: Interval }) => ({
  query: { ...query, video_id: video },
})

/** The totals of a time, those of the time before, and the series. */
export const audienceQuery = (account: string, of: Of & { interval: Interval }) =>
  queryOptions({
    queryKey: ['audience', account, of],
    queryFn: ({ signal }) =>
      unwrapJson(apiOf(account).GET('/v1/audience', { params: seriesOf(of), signal })),
    refetchInterval: REFRESH_MS,
    ...shared,
  })

export const audienceCsv = (account: string, of: Of & { interval: Interval }) =>
  unwrap(apiOf(account).GET('/v1/audience', { params: seriesOf(of), ...CSV }))

/** How many of the most watched videos are shown first. */
export const TOP_VIDEOS = 10
/** How many can be shown, and saved. */
export const TOP_VIDEOS_MAX = 100

const topOf = ({ from, to }: Days, order: AudienceOrder, limit: number) => ({
  query: { from, to, order, limit },
})

export const topVideosQuery = (account: string, days: Days, order: AudienceOrder, limit: number) =>
  queryOptions({
    queryKey: ['audience-videos', account, days, order, limit],
    queryFn: async ({ signal }) => {
      const params = topOf(days, order, limit)
      return (await unwrapJson(apiOf(account).GET('/v1/audience/videos', { params, signal }))).data
    },
    ...shared,
  })

export const topVideosCsv = (account: string, days: Days, order: AudienceOrder) =>
  unwrap(
    apiOf(account).GET('/v1/audience/videos', {
      params: topOf(days, order, TOP_VIDEOS_MAX),
      ...CSV,
    }),
  )

const breakdownOf = ({ from, to, video }: Of, kind: BreakdownKind) => ({
  query: { from, to, video_id: video, kind },
})

export const breakdownQuery = (account: string, of: Of, kind: BreakdownKind) =>
  queryOptions({
    queryKey: ['audience-breakdown', account, of, kind],
    queryFn: async ({ signal }) => {
      const params = breakdownOf(of, kind)
      return (await unwrapJson(apiOf(account).GET('/v1/audience/breakdown', { params, signal })))
        .data
    },
    ...shared,
  })

export const breakdownCsv = (account: string, of: Of, kind: BreakdownKind) =>
  unwrap(apiOf(account).GET('/v1/audience/breakdown', { params: breakdownOf(of, kind), ...CSV }))

export const retentionQuery = (account: string, video: string, { from, to }: Days) =>
  queryOptions({
    queryKey: ['retention', account, video, { from, to }],
    queryFn: ({ signal }) => {
      const params = { path: { id: video }, query: { from, to } }
      return unwrap(apiOf(account).GET('/v1/videos/{id}/retention', { params, signal }))
    },
    ...shared,
  })
