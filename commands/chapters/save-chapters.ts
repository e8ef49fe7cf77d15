import type { EntityManager } from '../../db/database.ts'
import type { Chapter } from '../../db/entities/annotation.ts'
import { listChapters } from '../../db/videos/annotations.ts'
import { replaceChapters } from '../../db/videos/write-annotations.ts'
import { CHAPTERS_MAX } from '../../domain/limits.ts'
import { areSameRows } from '../../domain/merge-edits.ts'
import { isChapterRange, isOverlapping, type ChapterRange } from '../../domain/videos/chapters.ts'
import { Refusal } from '../refusal.ts'
import { requireLockedVideo } from '../videos/lock-video.ts'
import type { ChapterToCreate } from './chapters.ts'

/** What an editor has changed in the chapters of a video. Chapters that are not named stay. */
export interface ChapterChanges {
  /** New ones have the id null. One that was deleted meanwhile is created again. */
  chapters: (ChapterToCreate & { id: number | null })[]
  deletedIds: number[]
  /** The chapters that the editor has started from; absent for one who overwrites. */
  from?: (ChapterToCreate & { id: number })[] | undefined
}

/**
 * Changes several chapters at once, so that they may change places. Call it in a transaction. Refuses with the field
 * of the chapter (`chapters.2.end`): `invalid_chapter_range` and `chapter_overlap`; with `too_many_chapters` and
 * `video_not_found`; and with `stale_edit` if a named chapter is not as in `from` any more.
 */
export async function saveChapters(
  tx: EntityManager,
  accountId: number,
  videoId: string,
  { chapters, deletedIds, from }: ChapterChanges,
): Promise<void> {
  const video = await requireLockedVideo(tx, accountId, videoId)
  const before = await listChapters(tx, videoId)
  const known = new Set(before.map(({ id }) => id))
  const gone = [...deletedIds, ...chapters.flatMap(({ id }) => id ?? [])]
  if (from && !areSameRows(gone, from, before.map(chapterOf))) throw new Refusal('stale_edit')
  const kept = before
    .filter(({ id }) => !gone.includes(id))
    .map(({ startSeconds: start, endSeconds: end }) => ({ start, end }))
  if (kept.length + chapters.length > CHAPTERS_MAX) throw new Refusal('too_many_chapters')
  requireRanges(chapters, kept, video.durationMs)
  const rows = chapters.map(({ id, title, start, end }) => ({
    id: id !== null && known.has(id) ? id : null,
    title,
    startSeconds: start,
    endSeconds: end,
  }))
  await replaceChapters(tx, videoId, gone, rows)
  // Later reads would return the rows as they were.
  tx.clear()
}

const chapterOf = ({ id, title, startSeconds: start, endSeconds: end }: Chapter) => ({
  id,
  title,
  start,
  end,
})

function requireRanges(
  chapters: ChapterRange[],
  kept: ChapterRange[],
  durationMs: number | null,
): void {
  const placed = [...kept]
  for (const [index, chapter] of chapters.entries()) {
    if (!isChapterRange(chapter, durationMs))
      throw new Refusal('invalid_chapter_range', { field: `chapters.${index}.end` })
    if (placed.some((other) => isOverlapping(chapter, other)))
      throw new Refusal('chapter_overlap', { field: `chapters.${index}.start` })
    placed.push(chapter)
  }
}
