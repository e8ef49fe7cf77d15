import type { EntityManager } from './database.ts'
import { Chapter } from './entities/annotation.ts'
import { queries } from './kysely.ts'

export interface ChapterTimes {
  startSeconds: number
  endSeconds: number
}

/** The chapters of a video, by start. */
export const listChapters = (em: EntityManager, videoId: string): Promise<Chapter[]> =>
  em.find(Chapter, { videoId }, { orderBy: { startSeconds: 'asc' } })

/** Inserts a chapter. Fails (`exclusion`) if it overlaps another one. */
export const insertChapter = (
  em: EntityManager,
  chapter: ChapterTimes & { videoId: string; title: string },
): Promise<number> => em.insert(Chapter, chapter)

/** Deletes the chapters that start at `endSecond` or later; shortens one that ends later. */
export async function cutChapters(
  em: EntityManager,
  videoId: string,
  endSecond: number,
): Promise<void> {
  await em.nativeDelete(Chapter, { videoId, startSeconds: { $gte: endSecond } })
  await em.nativeUpdate(
    Chapter,
    { videoId, endSeconds: { $gt: endSecond } },
    { endSeconds: endSecond, updatedAt: new Date() },
  )
}

/** Copies the chapters of one video to another, which has none. */
export async function copyChapters(
  em: EntityManager,
  fromVideoId: string,
  toVideoId: string,
): Promise<void> {
  await queries(em)
    .insertInto('chapter')
    .columns(['videoId', 'title', 'startSeconds', 'endSeconds'])
    .expression((eb) =>
      eb
        .selectFrom('chapter')
        .select(eb.val(toVideoId).as('videoId'))
        .select(['title', 'startSeconds', 'endSeconds'])
        .where('videoId', '=', fromVideoId),
    )
    .execute()
}
