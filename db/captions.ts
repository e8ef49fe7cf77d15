import { sql } from 'kysely'
import type { EntityManager } from './database.ts'
import { Caption } from './entities/annotation.ts'
import { queries } from './kysely.ts'

export interface NewCaption {
  videoId: string
  languageCode: string
  label: string
  content: string
  sizeBytes: number
}

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

/** Copies the captions of one video to another, which has none; returns what was copied. */
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
