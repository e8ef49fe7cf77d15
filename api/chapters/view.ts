import type { z } from 'zod'
import type { Chapter } from '../../db/entities/annotation.ts'
import type { chapterSchema } from './schemas.ts'

/** The chapter object; `index` is its place in the list of its video, by start. */
export const chapterView = (chapter: Chapter, index: number): z.output<typeof chapterSchema> => ({
  id: chapter.id,
  object: 'chapter',
  index,
  title: chapter.title,
  start: chapter.startSeconds,
  end: chapter.endSeconds,
})
