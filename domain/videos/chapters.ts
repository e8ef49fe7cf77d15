/** The range of a chapter in whole seconds; `end` is the first second after it. */
export interface ChapterRange {
  start: number
  end: number
}

/** Returns the latest end of a chapter: the duration in seconds, rounded up. It is 10 for 9.3 s. */
export const endSecond = (durationMs: number): number => Math.ceil(durationMs / 1000)

/** Returns the latest timestamp of a moment: the last whole second that playback reaches. */
export const lastSecond = (durationMs: number): number => Math.floor(durationMs / 1000)

/**
 * True if a chapter ends after it starts, and not after the end of its video. The duration is null
 * until it is known.
 */
export const isChapterRange = ({ start, end }: ChapterRange, durationMs: number | null): boolean =>
  end > start && (durationMs === null || end <= endSecond(durationMs))

/** True if two chapters have a second in common. */
export const isOverlapping = (one: ChapterRange, other: ChapterRange): boolean =>
  one.start < other.end && other.start < one.end

/** True if a moment is within its video, or the duration is not known yet. */
export const isMomentTime = (timestamp: number, durationMs: number | null): boolean =>
  durationMs === null || timestamp <= lastSecond(durationMs)

/**
 * Cuts chapters that were created before the duration was known. Chapters that begin after the end
 * of the video are removed; one that ends after it ends with the video.
 */
export const chaptersWithin = <C extends ChapterRange>(chapters: C[], durationMs: number): C[] =>
  chapters
    .filter(({ start }) => start < endSecond(durationMs))
    .map((chapter) => ({ ...chapter, end: Math.min(chapter.end, endSecond(durationMs)) }))

/** Returns the moments that are within the duration of the video. */
export const momentsWithin = <M extends { timestamp: number }>(
  moments: M[],
  durationMs: number,
): M[] => moments.filter(({ timestamp }) => isMomentTime(timestamp, durationMs))
