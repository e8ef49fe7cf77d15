/** What a player reports about its session. A missing or invalid value is null. */
export interface PlaybackReport {
  positionMs: number | null
  watchedMs: number | null
  bytesLoaded: number | null
}

const POSITION_MAX_SECONDS = 7 * 86_400
/** A day at 200 Mbit/s. */
const BYTES_MAX = 2 ** 41
const TOLERANCE_MS = 10_000
/** Videos can be played at double speed. The rest allows for clocks and network delays. */
const WATCHED_PER_ELAPSED = 4

/**
 * Reads the untrusted body of a heartbeat. A value that is not a number within its bounds becomes null.
 * Watched time is limited to four times the sum of `elapsedMs`, the age of the session, and ten seconds.
 */
export function readPlaybackReport(body: unknown, elapsedMs: number): PlaybackReport {
  const values = new Map(Object.entries(Object(body)))
  const positionMs = milliseconds(values.get('position_seconds'))
  const watchedMs = milliseconds(values.get('watched_seconds'))
  const watchedMaxMs = (Math.max(0, elapsedMs) + TOLERANCE_MS) * WATCHED_PER_ELAPSED
  const bytes = within(values.get('bytes_loaded'), BYTES_MAX)
  return {
    positionMs,
    watchedMs: watchedMs === null ? null : Math.min(watchedMs, Math.round(watchedMaxMs)),
    bytesLoaded: bytes === null ? null : Math.trunc(bytes),
  }
}

function milliseconds(value: unknown): number | null {
  const seconds = within(value, POSITION_MAX_SECONDS)
  return seconds === null ? null : Math.round(seconds * 1000)
}

const within = (value: unknown, max: number): number | null =>
  typeof value === 'number' && value >= 0 && value <= max ? value : null
