import type { Preparation } from '../../player-data.ts'

/** The parts of a video that play, in its order, in seconds. */
export type ReadyParts = Preparation['ready']

type ReadyPart = ReadyParts[number]

/** Times are rounded on their way. */
const ROUNDING = 0.1

/** Returns the part that plays at a place. */
export const partAt = (ready: ReadyParts, place: number): ReadyPart | undefined =>
  ready.find(([start, end]) => start - ROUNDING <= place && place < end - ROUNDING)

/** True if a place plays, and goes on for some seconds or to the end of the video. */
export function isReadyFor(
  ready: ReadyParts,
  place: number,
  { seconds, duration }: { seconds: number; duration: number },
): boolean {
  const part = partAt(ready, place)
  return part !== undefined && Math.min(place + seconds, duration - ROUNDING) <= part[1]
}

/**
 * Returns where the list of segments has to begin for a place: with the part that plays there, or the last one before,
 * which grows up to it. Null if nothing plays.
 */
export function listStartFor(ready: ReadyParts, place: number): number | null {
  const part = ready.filter(([start]) => start - ROUNDING <= place).at(-1) ?? ready[0]
  return part?.[0] ?? null
}

/** True if a loaded list, which begins at `from`, is the one for a place: it grows at its end only. */
export function isListFor(ready: ReadyParts, from: number, place: number): boolean {
  const start = listStartFor(ready, place)
  return start !== null && start - ROUNDING <= from && from - ROUNDING <= place
}
