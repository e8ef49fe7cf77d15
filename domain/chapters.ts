/** Where a chapter lies in its video: whole seconds; the end is the first second after it. */
export interface ChapterRange {
  start: number
  end: number
}

/**
 * True where a chapter may lie there: it ends after it starts, and not beyond the end of its video
 * where that is known (design, section 7). A film of 9.3 s has a tenth second.
 */
export const isChapterRange = ({ start, end }: ChapterRange, durationMs: number | null): boolean =>
  end > start && (durationMs === null || end <= Math.ceil(durationMs / 1000))

/** True where a moment may lie there: within its video, where that is known. */
export const isMomentTime = (timestamp: number, durationMs: number | null): boolean =>
  durationMs === null || timestamp <= Math.ceil(durationMs / 1000)
