/** An estimate that has come to its end is believed for so long. */
const PATIENCE_MS = 3_000
/** The least that an estimate says. */
const LEAST_SECONDS = 1

/**
 * Returns a function that takes each shown estimate, in seconds, and the time, and returns true if the wait lasts longer than
 * was estimated: the estimate says for some seconds that it ends at once.
 */
export function followOverdue(): (seconds: number | null, nowMs: number) => boolean {
  let dueAtMs: number | null = null
  return (seconds, nowMs) => {
    if (seconds === null || seconds > LEAST_SECONDS) dueAtMs = null
    else dueAtMs ??= nowMs
    return dueAtMs !== null && nowMs - dueAtMs > PATIENCE_MS
  }
}
