import type { AudienceOrder } from '../../api/audience.ts'

/** The numbers of the audience, in the order of their cards. */
export const METRICS = [
  'plays',
  'viewers',
  'watch',
  'view',
  'watched',
  'completions',
  'peak',
  'errors',
  'stalls',
  'start',
] as const

export type Metric = (typeof METRICS)[number]

/** The metric of an address. */
export const metricIn = ({ metric }: Record<string, unknown>): { metric?: Metric } => ({
  metric: METRICS.find((one) => one === metric),
})

/** By what the most watched videos can be sorted. */
export const ORDERS: readonly AudienceOrder[] = ['plays', 'watch_seconds']

/** The order of an address. */
export const orderIn = ({ order }: Record<string, unknown>): { order?: AudienceOrder } => ({
  order: ORDERS.find((one) => one === order),
})
