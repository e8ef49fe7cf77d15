/** The time of another clock in ms since 1970, and how far it may have been rounded down. */
export interface ClockReading {
  ms: number
  roundedByMs: number
}

/** Reads the Date header of a response (RFC 9110, section 6.6.1); null if it has none. */
export function readDate(header: string | null | undefined): ClockReading | null {
  const ms = Date.parse(header ?? '')
  return Number.isNaN(ms) ? null : { ms, roundedByMs: 1_000 }
}

/** Returns how far another clock is off, at least. It was read between two times of this machine, in ms. */
export const clockOffsetMs = (
  { ms, roundedByMs }: ClockReading,
  beforeMs: number,
  afterMs: number,
): number => Math.round(Math.max(beforeMs - ms - roundedByMs, ms - afterMs, 0))
