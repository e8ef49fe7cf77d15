import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { apiOf, unwrap } from './client.ts'
import { cursorsOf, type Cursors } from './cursors.ts'
import type { components } from './schema.ts'

export type Usage = components['schemas']['Usage']
export type Plan = components['schemas']['Plan']
export type Payment = components['schemas']['RecordedPayment']

/** Days up to today; without one, the days of the current month. */
export const USAGE_RANGES = ['month', '30d', '90d', '365d'] as const

export type UsageRange = (typeof USAGE_RANGES)[number]

const FRESH_MS = 60_000
const DAY_MS = 86_400_000
const PAYMENTS_PER_PAGE = 25

/** The range of an address. */
export const usageRange = ({ days }: Record<string, unknown>): { days?: UsageRange } => ({
  days: USAGE_RANGES.find((one) => one === days),
})

/** The usage by day and against the plan. Days are in UTC. */
export const usageQuery = (account: string, range: UsageRange = 'month') =>
  queryOptions({
    queryKey: ['usage', account, range],
    queryFn: ({ signal }) => {
      const query = range === 'month' ? {} : { start: firstDay(Number.parseInt(range)) }
      return unwrap(apiOf(account).GET('/v1/usage', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })

const firstDay = (days: number): string =>
  new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)

export const planQuery = (account: string) =>
  queryOptions({
    queryKey: ['plan', account],
    queryFn: ({ signal }) => unwrap(apiOf(account).GET('/v1/plan', { signal })),
    staleTime: FRESH_MS,
  })

/** A page of payments, newest first. */
export const paymentsQuery = (account: string, cursors: Cursors) =>
  queryOptions({
    queryKey: ['payments', account, cursors],
    queryFn: ({ signal }) => {
      const query = { limit: PAYMENTS_PER_PAGE, ...cursorsOf(cursors) }
      return unwrap(apiOf(account).GET('/payments', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
