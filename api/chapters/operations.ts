import {
  countChapters,
  deleteChapter,
  findChapter,
  insertChapter,
  listChapters,
  updateChapter,
} from '../../db/chapters.ts'
import type { EntityManager } from '../../db/database.ts'
import { isChapterRange } from '../../domain/chapters.ts'
import type { ChapterRange } from '../../domain/chapters.ts'
import { CHAPTERS_MAX } from '../../domain/limits.ts'
import { ApiError } from '../api-error.ts'
import { operation } from '../operation.ts'
import { refuseViolation } from '../refuse-violation.ts'
import { requireLockedVideo, requireVideo } from '../videos/require-video.ts'
import { videoIdParameter } from '../videos/schemas.ts'
import { chapterIdParameter, createChapterBody, updateChapterBody } from './schemas.ts'
import { chapterListSchema, chapterView, deletedChapterSchema } from '../../views/chapter.ts'
import { wholeListView } from '../../views/list.ts'

const tag = 'Chapters'
const listParams = { id: videoIdParameter }
const oneParams = { id: videoIdParameter, chapter_id: chapterIdParameter }

const create = operation({
  id: 'createChapter',
  method: 'post',
  path: '/v1/videos/{id}/chapters',
  tag,
  summary: 'Create a chapter',
  description:
    'Answers with the whole list. Chapters never overlap; their edges may touch. Before the length of the video is known, they may lie anywhere: once it is, a chapter that begins beyond the end is removed, and one that ends beyond it ends there.',
  scope: 'videos:write',
  params: listParams,
  body: createChapterBody,
  status: 201,
  answer: chapterListSchema,
  errors: ['invalid_chapter_range', 'chapter_overlap', 'too_many_chapters'],
  handle({ accountId, params: { id: videoId }, body: { title, start, end }, commit }) {
    return commit(async (tx) => {
      const video = await requireLockedVideo(tx, accountId, videoId)
      requireRange({ start, end }, video.durationMs)
      if ((await countChapters(tx, videoId)) >= CHAPTERS_MAX)
        throw new ApiError('too_many_chapters')
      const chapter = { videoId, title, startSeconds: start, endSeconds: end }
      await withoutOverlap(insertChapter(tx, chapter))
      return listOfVideo(tx, videoId)
    })
  },
})

const list = operation({
  id: 'listChapters',
  method: 'get',
  path: '/v1/videos/{id}/chapters',
  tag,
  summary: 'List the chapters of a video, by start',
  scope: 'videos:read',
  params: listParams,
  status: 200,
  answer: chapterListSchema,
  async handle({ deps, accountId, params: { id } }) {
    const em = deps.db.em.fork()
    const video = await requireVideo(em, accountId, id)
    return listOfVideo(em, video.id)
  },
})

const update = operation({
  id: 'updateChapter',
  method: 'patch',
  path: '/v1/videos/{id}/chapters/{chapter_id}',
  tag,
  summary: 'Change a chapter',
  description: 'Answers with the whole list.',
  scope: 'videos:write',
  params: oneParams,
  body: updateChapterBody,
  status: 200,
  answer: chapterListSchema,
  errors: ['invalid_chapter_range', 'chapter_overlap'],
  handle({ accountId, params: { id: videoId, chapter_id: id }, body, commit }) {
    return commit(async (tx) => {
      const video = await requireLockedVideo(tx, accountId, videoId)
      const chapter = await findChapter(tx, videoId, id)
      if (!chapter) throw new ApiError('chapter_not_found')
      const start = body.start ?? chapter.startSeconds
      const end = body.end ?? chapter.endSeconds
      requireRange({ start, end }, video.durationMs)
      const title = body.title ?? chapter.title
      await withoutOverlap(updateChapter(tx, id, { title, startSeconds: start, endSeconds: end }))
      tx.clear()
      return listOfVideo(tx, videoId)
    })
  },
})

const remove = operation({
  id: 'deleteChapter',
  method: 'delete',
  path: '/v1/videos/{id}/chapters/{chapter_id}',
  tag,
  summary: 'Delete a chapter',
  scope: 'videos:write',
  params: oneParams,
  status: 200,
  answer: deletedChapterSchema,
  handle({ accountId, params: { id: videoId, chapter_id: id }, commit }) {
    return commit(async (tx) => {
      await requireLockedVideo(tx, accountId, videoId)
      if (!(await deleteChapter(tx, videoId, id))) throw new ApiError('chapter_not_found')
      return { id, object: 'chapter', deleted: true }
    })
  },
})

const listOfVideo = async (em: EntityManager, videoId: string) =>
  wholeListView(await listChapters(em, videoId), chapterView, `/v1/videos/${videoId}/chapters`)

function requireRange(range: ChapterRange, durationMs: number | null): void {
  if (!isChapterRange(range, durationMs))
    throw new ApiError('invalid_chapter_range', { param: 'end' })
}

const withoutOverlap = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'exclusion', () => new ApiError('chapter_overlap'))

export const chapterOperations = [create, list, update, remove]
