import { CHAPTERS_MAX } from '../limits.ts'
import { endSecond, type ChapterRange } from '../videos/chapters.ts'

/** A chapter as a file states it. */
export interface SourceChapter {
  startMs: number
  endMs: number
  /** One line (`sourceLine`); empty if the file states none. */
  title: string
}

/**
 * Returns the chapters of a file in whole seconds, in order. Leaves out those that overlap an earlier one, are shorter
 * than a second, or begin after the end of the video. Chapters without a title are numbered.
 */
export function chaptersOfSource(
  chapters: readonly SourceChapter[],
  durationMs: number,
): (ChapterRange & { title: string })[] {
  const last = endSecond(durationMs)
  const placed: (ChapterRange & { title: string })[] = []
  for (const { startMs, endMs, title } of chapters.toSorted((a, b) => a.startMs - b.startMs)) {
    const [start, end] = [startMs, endMs].map((ms) => Math.min(last, Math.round(ms / 1000)))
    if (start === undefined || end === undefined || end <= start) continue
    if (start < (placed.at(-1)?.end ?? 0) || placed.length === CHAPTERS_MAX) continue
    placed.push({ start, end, title: title || `Chapter ${placed.length + 1}` })
  }
  return placed
}
