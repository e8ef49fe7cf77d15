import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { Caption, Chapter, Moment } from '../entities/annotation.ts'
import { queries } from '../queries.ts'

export interface NewCaption {
  videoId: string
  languageCode: string
  label: string
  content: string
  sizeBytes: number
}

/** Writes the track of a language; replaces an existing one (contract, "Caption"). */
export async function putCaption(em: EntityManager, caption: NewCaption): Promise<void> {
  await queries(em)
    .insertInto('caption')
    .values(caption)
    .onConflict((conflict) =>
      conflict.columns(['videoId', 'languageCode']).doUpdateSet((eb) => ({
        label: eb.ref('excluded.label'),
        content: eb.ref('excluded.content'),
        sizeBytes: eb.ref('excluded.sizeBytes'),
        updatedAt: sql`now()`,
      })),
    )
    .execute()
}

/** Copies the captions of one video to another, which has none; returns the copied ones. */
export const copyCaptions = (
  em: EntityManager,
  fromVideoId: string,
  toVideoId: string,
): Promise<Pick<Caption, 'label' | 'languageCode'>[]> =>
  queries(em)
    .insertInto('caption')
    .columns(['videoId', 'languageCode', 'label', 'content', 'sizeBytes'])
    .expression((eb) =>
      eb
        .selectFrom('caption')
        .select(eb.val(toVideoId).as('videoId'))
        .select(['languageCode', 'label', 'content', 'sizeBytes'])
        .where('videoId', '=', fromVideoId)
        .orderBy('languageCode'),
    )
    .returning(['label', 'languageCode'])
    .execute()

export interface ChapterTimes {
  startSeconds: number
  endSeconds: number
}

/** Inserts a chapter. Fails (`exclusion`) if it overlaps another one. */
export const insertChapter = (
  em: EntityManager,
  chapter: ChapterTimes & { videoId: string; title: string },
): Promise<number> => em.insert(Chapter, chapter)

/** Deletes the chapters with these ids from a video, and inserts others. An id of null is a new one. */
export async function replaceChapters(
  em: EntityManager,
  videoId: string,
  deletedIds: number[],
  chapters: (ChapterTimes & { id: number | null; title: string })[],
): Promise<void> {
  await em.nativeDelete(Chapter, { videoId, id: { $in: deletedIds } })
  for (const { id, title, startSeconds, endSeconds } of chapters)
    await em.insert(Chapter, { videoId, title, startSeconds, endSeconds, ...(id && { id }) })
}

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

/** Inserts a moment. Fails (`unique`) if another moment has its timestamp. */
export const insertMoment = (
  em: EntityManager,
  moment: { videoId: string; label: string; timestampSeconds: number },
): Promise<Moment> =>
  queries(em).insertInto('moment').values(moment).returningAll().executeTakeFirstOrThrow()

/** Deletes the moments with these ids from a video, and inserts others. An id of null is a new one. */
export async function replaceMoments(
  em: EntityManager,
  videoId: string,
  deletedIds: number[],
  moments: { id: number | null; label: string; timestampSeconds: number }[],
): Promise<void> {
  await em.nativeDelete(Moment, { videoId, id: { $in: deletedIds } })
  for (const { id, label, timestampSeconds } of moments)
    await em.insert(Moment, { videoId, label, timestampSeconds, ...(id && { id }) })
}

/** Deletes the moments after `lastSecond`. */
export async function cutMoments(
  em: EntityManager,
  videoId: string,
  lastSecond: number,
): Promise<void> {
  await em.nativeDelete(Moment, { videoId, timestampSeconds: { $gt: lastSecond } })
}

/** Copies the moments of one video to another, which has none. */
export async function copyMoments(
  em: EntityManager,
  fromVideoId: string,
  toVideoId: string,
): Promise<void> {
  await queries(em)
    .insertInto('moment')
    .columns(['videoId', 'label', 'timestampSeconds'])
    .expression((eb) =>
      eb
        .selectFrom('moment')
        .select(eb.val(toVideoId).as('videoId'))
        .select(['label', 'timestampSeconds'])
        .where('videoId', '=', fromVideoId),
    )
    .execute()
}

/** Deletes the caption of a language. False if the video has none. */
export const deleteCaptionRow = async (
  em: EntityManager,
  videoId: string,
  languageCode: string,
): Promise<boolean> => (await em.nativeDelete(Caption, { videoId, languageCode })) > 0

/** Changes a chapter that was read in this transaction. Fails (`exclusion`) if it then overlaps another one. */
export async function updateChapter(
  em: EntityManager,
  chapter: Chapter,
  change: ChapterTimes & { title: string },
): Promise<void> {
  Object.assign(chapter, { ...change, updatedAt: new Date() })
  await em.flush()
}

/** Deletes a chapter of a video. False if the video has no such chapter. */
export const deleteChapterRow = async (
  em: EntityManager,
  videoId: string,
  id: number,
): Promise<boolean> => (await em.nativeDelete(Chapter, { id, videoId })) > 0

/** Deletes a moment of a video. False if the video has no such moment. */
export const deleteMomentRow = async (
  em: EntityManager,
  videoId: string,
  id: number,
): Promise<boolean> => (await em.nativeDelete(Moment, { id, videoId })) > 0
