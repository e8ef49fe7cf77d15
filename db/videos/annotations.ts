import type { EntityManager } from '../database.ts'
import { Caption, Chapter, Moment } from '../entities/annotation.ts'

/** A caption without its text. */
export type CaptionFacts = Omit<Caption, 'content'>

/** The captions of a video without their texts, by language. */
export const listCaptions = (em: EntityManager, videoId: string): Promise<CaptionFacts[]> =>
  em.find(Caption, { videoId }, { orderBy: { languageCode: 'asc' } })

/** One caption with its text, or null. */
export const findCaption = (
  em: EntityManager,
  videoId: string,
  languageCode: string,
): Promise<Caption | null> =>
  em.findOne(Caption, { videoId, languageCode }, { populate: ['content'] })

/** The chapters of a video, by start. */
export const listChapters = (em: EntityManager, videoId: string): Promise<Chapter[]> =>
  em.find(Chapter, { videoId }, { orderBy: { startSeconds: 'asc' } })

/** The moments of a video, by time. */
export const listMoments = (em: EntityManager, videoId: string): Promise<Moment[]> =>
  em.find(Moment, { videoId }, { orderBy: { timestampSeconds: 'asc' } })

/** How many chapters a video has. */
export const countChapters = (em: EntityManager, videoId: string): Promise<number> =>
  em.count(Chapter, { videoId })

/** One chapter of a video, or null. */
export const findChapter = (
  em: EntityManager,
  videoId: string,
  id: number,
): Promise<Chapter | null> => em.findOne(Chapter, { id, videoId })

/** How many moments a video has. */
export const countMoments = (em: EntityManager, videoId: string): Promise<number> =>
  em.count(Moment, { videoId })
