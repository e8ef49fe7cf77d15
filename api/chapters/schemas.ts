import { z } from 'zod'
import { TITLE_MAX_LENGTH } from '../../domain/limits.ts'
import { ROW_ID_MAX } from '../../domain/row-id.ts'
import { deletedSchema, listOf, rowId, rowIdParameter } from '../list.ts'
import { text } from '../text.ts'

/** Whole seconds from the beginning of the video. */
export const seconds = z.int().min(0).max(ROW_ID_MAX)

const title = text({ maxLength: TITLE_MAX_LENGTH, example: 'Opening' })

/** Body of POST /v1/videos/{id}/chapters. */
export const createChapterBody = z.strictObject({
  title,
  start: seconds.meta({ example: 0 }),
  end: seconds.meta({ description: 'The first second after the chapter.', example: 42 }),
})

/** Body of PATCH /v1/videos/{id}/chapters/{chapter_id}. */
export const updateChapterBody = z.strictObject({
  title: title.optional(),
  start: seconds.optional(),
  end: seconds.optional(),
})

export const chapterIdParameter = rowIdParameter('chapter_not_found')

/** The chapter object, as it stands in its list (spec, "Chapter"). */
export const chapterSchema = z
  .strictObject({
    id: rowId,
    object: z.literal('chapter'),
    index: z.int().meta({ description: 'Place in the list, from 0.' }),
    title: z.string(),
    start: z.int(),
    end: z.int(),
  })
  .meta({ id: 'Chapter' })

export const chapterListSchema = listOf(chapterSchema).meta({ id: 'ChapterList' })
export const deletedChapterSchema = deletedSchema('chapter', rowId).meta({ id: 'DeletedChapter' })
