import { z } from 'zod'
import { TITLE_MAX_LENGTH } from '../../domain/limits.ts'
import { INTEGER_MAX } from '../../domain/row-id.ts'
import { rowIdParameter } from '../../http/list.ts'
import { text } from '../../http/text.ts'

/** Whole seconds from the beginning of the video. */
export const seconds = z.int().min(0).max(INTEGER_MAX)

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
