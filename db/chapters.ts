import type { EntityManager } from './database.ts'
import { Chapter } from './entities/annotation.ts'

export interface ChapterTimes {
  startSeconds: number
  endSeconds: number
}

/** The chapters of a video, by start. */
export const listChapters = (em: EntityManager, videoId: string): Promise<Chapter[]> =>
  em.find(Chapter, { videoId }, { orderBy: { startSeconds: 'asc' } })

/** How many chapters a video has. */
export const countChapters = (em: EntityManager, videoId: string): Promise<number> =>
  em.count(Chapter, { videoId })

/** One chapter of a video, or null. */
export const findChapter = (
  em: EntityManager,
  videoId: string,
  id: number,
): Promise<Chapter | null> => em.findOne(Chapter, { id, videoId })

/** Inserts a chapter. Fails (`exclusion`) where it overlaps another one. */
export const insertChapter = (
  em: EntityManager,
  chapter: ChapterTimes & { videoId: string; title: string },
): Promise<number> => em.insert(Chapter, chapter)

/** Changes a chapter. Fails (`exclusion`) where it then overlaps another one. */
export async function updateChapter(
  em: EntityManager,
  id: number,
  chapter: ChapterTimes & { title: string },
): Promise<void> {
  await em.nativeUpdate(Chapter, { id }, { ...chapter, updatedAt: new Date() })
}

/** Removes the chapters that begin at `endSecond` or behind it; one that ends behind it ends there. */
export async function cutChapters(
  em: EntityManager,
  videoId: string,
  endSecond: number,
): Promise<void> {
  await em.execute('delete from chapter where video_id = ? and start_seconds >= ?', [
    videoId,
    endSecond,
  ])
  await em.execute(
    `update chapter set end_seconds = ?, updated_at = now()
     where video_id = ? and end_seconds > ?`,
    [endSecond, videoId, endSecond],
  )
}

/** Removes a chapter; false where there is none. */
export const deleteChapter = async (
  em: EntityManager,
  videoId: string,
  id: number,
): Promise<boolean> => (await em.nativeDelete(Chapter, { id, videoId })) > 0
