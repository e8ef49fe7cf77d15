import type { EntityManager } from './database.ts'
import { Chapter } from './entities/annotation.ts'

export interface ChapterTimes {
  startSeconds: number
  endSeconds: number
}

/** The chapters of a video, by start. */
export const listChapters = (em: EntityManager, videoId: string): Promise<Chapter[]> =>
  em.find(Chapter, { videoId }, { orderBy: { startSeconds: 'asc' } })

/** Inserts a chapter. Fails (`exclusion`) where it overlaps another one. */
export const insertChapter = (
  em: EntityManager,
  chapter: ChapterTimes & { videoId: string; title: string },
): Promise<number> => em.insert(Chapter, chapter)

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
