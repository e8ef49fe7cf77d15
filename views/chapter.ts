import { z } from 'zod'
import type { Chapter } from '../db/entities/annotation.ts'
import { deletedSchema, listOf } from './list.ts'
import { rowId } from './values.ts'

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

export const chapterListSchema = listOf(chapterSchema).meta({ id: 'ChapterList' })
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
