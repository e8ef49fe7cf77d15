import type { z } from 'zod'
import type { Chapter } from '../../db/entities/annotation.ts'
import type { chapterListSchema } from './schemas.ts'

/** The whole chapter list of a video; `chapters` are sorted by start. */
export const chapterListView = (
  videoId: string,
  chapters: Chapter[],
): z.output<typeof chapterListSchema> => ({
  object: 'list',
  data: chapters.map((chapter, index) => ({
    id: chapter.id,
    object: 'chapter',
    index,
    title: chapter.title,
    start: chapter.startSeconds,
    end: chapter.endSeconds,
  })),
  has_more: false,
  url: `/v1/videos/${videoId}/chapters`,
})
