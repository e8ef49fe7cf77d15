/** The video is divided into so many parts of the same length: hundredths. */
export const PARTS = 100
/** A play is a session that has played for at least so long, by wall clock. */
export const PLAY_MIN_MS = 3_000
/** A play is complete once so many of the hundredths were shown. */
export const COMPLETE_PARTS = 90
/** The stretches of a session that are kept. */
export const STRETCHES_MAX = 64

/** What the player has measured of a session so far: totals that never decrease, and the latest of the rest. */
export interface SessionMeasures {
  /** Playing time by wall clock. */
  watchedMs: number
  /** Playing time by media time: at double speed, one minute counts as two. */
  mediaMs: number
  /**
   * The hundredths of the video that were shown, as 100 characters `0` or `1`; null if the player did not report any.
   * A hundredth counts once half of it was shown.
   */
  parts: string | null
  /** The hundredths that were shown at least twice; null if none was. */
  replayedParts: string | null
  firstFrameMs: number | null
  /** Interruptions by buffering, without waits after seeks. */
  stalls: number
  stalledMs: number
  /** The height in pixels that was shown longest. */
  quality: number | null
  /** The speed at which most was played, in hundredths. */
  speed: number | null
  /** The code of the problem that ended the playback, or prevented its start; null if there was none, or it was solved. */
  error: string | null
}

/** A play: it has played for at least three seconds. */
export const isPlay = ({ watchedMs }: Pick<SessionMeasures, 'watchedMs'>): boolean =>
  watchedMs >= PLAY_MIN_MS

/** How many parts are set. */
export function countParts(parts: string | null): number {
  let count = 0
  for (const bit of parts ?? '') if (bit === '1') count += 1
  return count
}

/** At least 90 of the hundredths were shown. */
export const isComplete = (parts: string | null): boolean => countParts(parts) >= COMPLETE_PARTS

/** The parts of both. */
export function uniteParts(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return Array.from(a, (bit, at) => (bit === '1' || b[at] === '1' ? '1' : '0')).join('')
}

/**
 * Returns the parts that a session is credited with: none, as if they were not reported, if it has not played for as long as
 * they need. Without a duration, nothing can be credited.
 */
export function creditedParts(
  { parts, mediaMs }: Pick<SessionMeasures, 'parts' | 'mediaMs'>,
  durationMs: number | null,
): string | null {
  if (parts === null || durationMs === null) return null
  // Half of a part is enough for it. Players round: one part of tolerance.
  const leastMs = ((countParts(parts) - 1) * durationMs) / PARTS / 2
  return leastMs <= mediaMs ? parts : null
}
