const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A wait in words that fit a timer's summary: "37 s", "5 min", "2 h", "1 h 40 min". */
export function waitText(waitMs: number): string {
  if (waitMs < MINUTE_MS) return `${Math.ceil(waitMs / 1000)} s`
  const minutes = Math.round(waitMs / MINUTE_MS)
  if (minutes * MINUTE_MS < HOUR_MS) return `${minutes} min`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`
}
