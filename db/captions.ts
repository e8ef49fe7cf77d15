import type { EntityManager } from './database.ts'
import { Caption } from './entities/annotation.ts'

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

/** Writes the track of a language, over the one that was there (spec, "Caption"). */
export async function putCaption(em: EntityManager, caption: NewCaption): Promise<void> {
  await em.execute(
    `insert into caption (video_id, language_code, label, content, size_bytes)
     values (?, ?, ?, ?, ?)
     on conflict (video_id, language_code) do update set label = excluded.label,
       content = excluded.content, size_bytes = excluded.size_bytes, updated_at = now()`,
    [caption.videoId, caption.languageCode, caption.label, caption.content, caption.sizeBytes],
  )
}
