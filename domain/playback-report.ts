/** What a player tells of its session so far; null is what it does not tell, or tells wrongly. */
export interface PlaybackReport {
  positionMs: number | null
  watchedMs: number | null
  bytesLoaded: number | null
}

const POSITION_MAX_SECONDS = 7 * 86_400
/** A day at 200 Mbit/s. */
const BYTES_MAX = 2 ** 41
const TOLERANCE_MS = 10_000
/** Films may be played at twice their speed; the rest is for clocks and pauses of the network. */
const WATCHED_PER_ELAPSED = 4

/**
 * Reads a heartbeat's body, in which nothing can be believed: whatever is no number in its bounds
 * counts as not told. Watched time is held to four times the `elapsedMs` since the session began
 * (and ten seconds).
 */
export function readPlaybackReport(body: unknown, elapsedMs: number): PlaybackReport {
  const told = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const positionMs = milliseconds(told.position_seconds)
  const watchedMs = milliseconds(told.watched_seconds)
  const most = (Math.max(0, elapsedMs) + TOLERANCE_MS) * WATCHED_PER_ELAPSED
  const bytes = within(told.bytes_loaded, BYTES_MAX)
  return {
    positionMs,
    watchedMs: watchedMs === null ? null : Math.min(watchedMs, Math.round(most)),
    bytesLoaded: bytes === null ? null : Math.trunc(bytes),
  }
}

function milliseconds(value: unknown): number | null {
  const seconds = within(value, POSITION_MAX_SECONDS)
  return seconds === null ? null : Math.round(seconds * 1000)
}

const within = (value: unknown, most: number): number | null =>
  typeof value === 'number' && value >= 0 && value <= most ? value : null
