/** How many days back a viewer's days are known, so that sessions may be counted in any order. */
const DAYS_KNOWN = 32

/** The days on which a viewer had a play: the last one, and a bit for each of the 32 up to it. */
export interface ViewerDays {
  /** Days since 1970, in UTC; null if there was none. */
  lastDay: number | null
  /** Bit k: the day k days before the last one. A signed integer of 32 bits, as PostgreSQL stores it. */
  recentDays: number
}

/**
 * Adds a day. `isNew` says that the viewer had no play on this day before; a day that is more than 32 before the last one is
 * not new.
 */
export function addDay(
  { lastDay, recentDays }: ViewerDays,
  day: number,
): ViewerDays & { isNew: boolean } {
  if (lastDay === null) return { lastDay: day, recentDays: 1, isNew: true }
  const ahead = day - lastDay
  if (ahead > 0) {
    const kept = ahead >= DAYS_KNOWN ? 0 : recentDays << ahead
    return { lastDay: day, recentDays: kept | 1, isNew: true }
  }
  if (-ahead >= DAYS_KNOWN) return { lastDay, recentDays, isNew: false }
  const bit = 1 << -ahead
  return { lastDay, recentDays: recentDays | bit, isNew: (recentDays & bit) === 0 }
}
