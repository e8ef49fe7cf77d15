import type { EntityManager } from '../../db/database.ts'
import { countChapters, findChapter } from '../../db/videos/annotations.ts'
import {
  deleteChapterRow,
  insertChapter,
  updateChapter,
} from '../../db/videos/write-annotations.ts'
import { CHAPTERS_MAX } from '../../domain/limits.ts'
import { isChapterRange, type ChapterRange } from '../../domain/videos/chapters.ts'
import { Refusal, refuseViolation } from '../refusal.ts'
import { requireLockedVideo } from '../videos/lock-video.ts'

export interface ChapterToCreate extends ChapterRange {
  title: string
}

/** The properties of a chapter that can change; those that are undefined stay as they are. */
export type ChapterChange = { [K in keyof ChapterToCreate]?: ChapterToCreate[K] | undefined }

/**
 * Adds a chapter to a video. Call it in a transaction. Refuses with `invalid_chapter_range`, `chapter_overlap`,
 * `too_many_chapters` and `video_not_found`.
 */
export async function createChapter(
  tx: EntityManager,
  accountId: number,
  videoId: string,
  { title, start, end }: ChapterToCreate,
): Promise<void> {
  const video = await requireLockedVideo(tx, accountId, videoId)
  requireRange({ start, end }, video.durationMs)
  if ((await countChapters(tx, videoId)) >= CHAPTERS_MAX) throw new Refusal('too_many_chapters')
  const chapter = { videoId, title, startSeconds: start, endSeconds: end }
  await refuseOverlap(insertChapter(tx, chapter))
}

/**
 * Changes a chapter. Call it in a transaction. Refuses with `invalid_chapter_range`, `chapter_overlap`,
 * `chapter_not_found` and `video_not_found`.
 */
export async function changeChapter(
  tx: EntityManager,
  accountId: number,
  videoId: string,
  id: number,
  change: ChapterChange,
): Promise<void> {
  const video = await requireLockedVideo(tx, accountId, videoId)
  const chapter = await findChapter(tx, videoId, id)
  if (!chapter) throw new Refusal('chapter_not_found')
  const start = change.start ?? chapter.startSeconds
  const end = change.end ?? chapter.endSeconds
  requireRange({ start, end }, video.durationMs)
  const title = change.title ?? chapter.title
  await refuseOverlap(updateChapter(tx, chapter, { title, startSeconds: start, endSeconds: end }))
}

/** Deletes a chapter. Call it in a transaction. Refuses with `chapter_not_found` and `video_not_found`. */
export async function deleteChapter(
  tx: EntityManager,
  accountId: number,
  videoId: string,
  id: number,
): Promise<void> {
  await requireLockedVideo(tx, accountId, videoId)
  if (!(await deleteChapterRow(tx, videoId, id))) throw new Refusal('chapter_not_found')
}

function requireRange(range: ChapterRange, durationMs: number | null): void {
  if (!isChapterRange(range, durationMs))
    throw new Refusal('invalid_chapter_range', { field: 'end' })
}

const refuseOverlap = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'exclusion', 'chapter_overlap')
