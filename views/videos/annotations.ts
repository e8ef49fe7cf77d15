import { z } from 'zod'
import type { Caption, Chapter, Moment } from '../../db/entities/annotation.ts'
import type { CaptionFacts } from '../../db/videos/annotations.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { deletedSchema, listSchema } from '../list.ts'
import { rowId, timestamp } from '../values.ts'

const facts = {
  object: z.literal('caption'),
  language_code: z.string().meta({ description: 'BCP 47, in its canonical case.' }),
  label: z.string(),
  size_bytes: z.int(),
  created_at: timestamp('When the caption was added.'),
  updated_at: timestamp('When its text was last replaced.'),
}

/** The caption object, without its text (contract, "Caption"). */
export const captionSchema = z.strictObject(facts).meta({ id: 'Caption' })

/** The caption object with its text, as GET of one caption returns it. */
export const captionWithContentSchema = z
  .strictObject({ ...facts, content: z.string().meta({ description: 'The WebVTT text.' }) })
  .meta({ id: 'CaptionWithContent' })

export const captionListSchema = listSchema(captionSchema).meta({ id: 'CaptionList' })

export const deletedCaptionSchema = z
  .strictObject({
    object: z.literal('caption'),
    language_code: z.string(),
    deleted: z.literal(true),
  })
  .meta({ id: 'DeletedCaption' })

/** The caption object, without its text. */
export const captionView = (caption: CaptionFacts): z.output<typeof captionSchema> => ({
  object: 'caption',
  language_code: caption.languageCode,
  label: caption.label,
  size_bytes: caption.sizeBytes,
  created_at: isoUtc(caption.createdAt),
  updated_at: isoUtc(caption.updatedAt),
})

/** The caption object with its text. */
export const captionWithContentView = (
  caption: Caption,
): z.output<typeof captionWithContentSchema> => ({
  ...captionView(caption),
  content: caption.content,
})

/** The chapter object, as its list shows it (contract, "Chapter"). */
export const chapterSchema = z
  .strictObject({
    id: rowId,
    object: z.literal('chapter'),
    index: z.int().meta({ description: 'Position in the list, from 0.' }),
    title: z.string(),
    start: z.int(),
    end: z.int(),
  })
  .meta({ id: 'Chapter' })

export const chapterListSchema = listSchema(chapterSchema).meta({ id: 'ChapterList' })
export const deletedChapterSchema = deletedSchema('chapter', rowId).meta({ id: 'DeletedChapter' })

/** The chapter object; `index` is its place in the list of its video, by start. */
export const chapterView = (chapter: Chapter, index: number): z.output<typeof chapterSchema> => ({
  id: chapter.id,
  object: 'chapter',
  index,
  title: chapter.title,
  start: chapter.startSeconds,
  end: chapter.endSeconds,
})

/** The moment object (contract, "Moment"). */
export const momentSchema = z
  .strictObject({
    id: rowId,
    object: z.literal('moment'),
    label: z.string(),
    timestamp: z.int(),
    created_at: timestamp('When the moment was created.'),
  })
  .meta({ id: 'Moment' })

export const momentListSchema = listSchema(momentSchema).meta({ id: 'MomentList' })
export const deletedMomentSchema = deletedSchema('moment', rowId).meta({ id: 'DeletedMoment' })

/** The moment object. */
export const momentView = (moment: Moment): z.output<typeof momentSchema> => ({
  id: moment.id,
  object: 'moment',
  label: moment.label,
  timestamp: moment.timestampSeconds,
  created_at: isoUtc(moment.createdAt),
})
