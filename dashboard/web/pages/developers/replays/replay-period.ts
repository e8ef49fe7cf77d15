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

/** Times in UTC. */
export interface Range {
  since: string
  until: string
}

/**
 * The range of a choice; it ends now if no end was chosen. Null if a time is missing, or if the start is not before
 * the end and before now.
 */
export function rangeOf(
  { period, since, until }: ChosenRange,
  { zone, nowMs }: { zone: string; nowMs: number },
): Range | null {
  const startMs = period === 'custom' ? instantOf(since, zone) : nowMs - LENGTHS_MS[period]
  const endMs = period === 'custom' && until !== '' ? instantOf(until, zone) : nowMs
  // Not a number, if a time is missing.
  if (!(startMs < Math.min(endMs, nowMs))) return null
  return { since: new Date(startMs).toISOString(), until: new Date(endMs).toISOString() }
}

/** The instant of a local time in a zone; not a number for a text that is no time. */
function instantOf(local: string, zone: string): number {
  const asUtcMs = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtcMs)) return asUtcMs
  const guessMs = asUtcMs - offsetMs(asUtcMs, zone)
  // The guess may be on the other side of a change of the clocks.
  return asUtcMs - offsetMs(guessMs, zone)
}

/** By how much the clocks of a zone are ahead of UTC. */
function offsetMs(timeMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = new Map(
    format.formatToParts(timeMs).map(({ type, value }) => [type, Number(value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
  const shownMs = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return shownMs - Math.floor(timeMs / 1000) * 1000
}
