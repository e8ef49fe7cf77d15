const HOUR_MS = 3_600_000

/** How far back a replay reaches; a custom one has its own start and end. */
const LENGTHS_MS = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
} as const

export type Period = keyof typeof LENGTHS_MS | 'custom'

export const PERIODS: readonly Period[] = ['hour', 'day', 'week', 'month', 'custom']

/** What the form says of the range: a period, or two local times such as `2026-11-22T14:05`, of which the second may be empty. */
export interface ChosenRange {
  period: Period
  since: string
  until: string
}

/** The range as times in UTC; it ends now if no end was chosen. Null if a time is missing or wrong. */
export function rangeOf(
  { period, since, until }: ChosenRange,
  { zone, nowMs }: { zone: string; nowMs: number },
): { since: string; until: string } | null {
  const now = new Date(nowMs).toISOString()
  if (period !== 'custom')
    return { since: new Date(nowMs - LENGTHS_MS[period]).toISOString(), until: now }
  const start = instantOf(since, zone)
  const end = until === '' ? now : instantOf(until, zone)
  return start !== null && end !== null ? { since: start, until: end } : null
}

/** The dashboard's time zone is that of this computer or UTC. */
function instantOf(local: string, zone: string): string | null {
  const timeMs = Date.parse(zone === 'UTC' ? `${local}Z` : local)
  return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString()
}
