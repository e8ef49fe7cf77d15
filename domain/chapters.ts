/** Where a chapter lies in its video: whole seconds; the end is the first second after it. */
export interface ChapterRange {
  start: number
  end: number
}

/** The second that a film ends in, counted from 1: where its last chapter may end. A film of 9.3 s has a tenth. */
export const endSecond = (durationMs: number): number => Math.ceil(durationMs / 1000)

/** The last whole second that a film of this length has reached: where its last moment may lie. */
export const lastSecond = (durationMs: number): number => Math.floor(durationMs / 1000)

/**
 * True where a chapter may lie there: it ends after it starts, and not beyond the end of its video
 * where that is known (design, section 7).
 */
export const isChapterRange = ({ start, end }: ChapterRange, durationMs: number | null): boolean =>
  end > start && (durationMs === null || end <= endSecond(durationMs))

/** True where a moment may lie there: within its video, where that is known. */
export const isMomentTime = (timestamp: number, durationMs: number | null): boolean =>
  durationMs === null || timestamp <= lastSecond(durationMs)

/**
 * What of some chapters lies in a video of this length: those that begin beyond its end are left out,
 * one that ends beyond it ends with it. They were given before the length was known.
 */
export const chaptersWithin = <C extends ChapterRange>(chapters: C[], durationMs: number): C[] =>
  chapters
    .filter(({ start }) => start < endSecond(durationMs))
    .map((chapter) => ({ ...chapter, end: Math.min(chapter.end, endSecond(durationMs)) }))

/** Those of some moments that lie in a video of this length. */
export const momentsWithin = <M extends { timestamp: number }>(
  moments: M[],
  durationMs: number,
): M[] => moments.filter(({ timestamp }) => isMomentTime(timestamp, durationMs))
