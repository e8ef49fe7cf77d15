import { changeChapter, createChapter, deleteChapter } from '../../commands/chapters/chapters.ts'
import type { EntityManager } from '../../db/database.ts'
import { listChapters } from '../../db/videos/annotations.ts'
import { findVideo } from '../../db/videos/videos.ts'
import { orNotFound } from '../../http/api-error.ts'
import { operation } from '../../http/operation.ts'
import { wholeListView } from '../../views/list.ts'
import {
  chapterListSchema,
  chapterView,
  deletedChapterSchema,
} from '../../views/videos/annotations.ts'
import { videoIdParameter } from '../videos/schemas.ts'
import { chapterIdParameter, createChapterBody, updateChapterBody } from './schemas.ts'

const tag = 'Chapters'
const listParams = { id: videoIdParameter }
const oneParams = { id: videoIdParameter, chapter_id: chapterIdParameter }

const CHAPTER_FIELDS = ['title', 'start', 'end']

/** Reads a chapter for the audit log. */
async function readChapter(
  tx: EntityManager,
  _accountId: number,
  { id: videoId, chapter_id: id }: { id: string; chapter_id: number },
) {
  const { data } = await listOfVideo(tx, videoId)
  return data.find((chapter) => chapter.id === id) ?? null
}

const create = operation({
  id: 'createChapter',
  method: 'post',
  path: '/v1/videos/{id}/chapters',
  tag,
  summary: 'Create a chapter',
  description:
    'Returns the whole list. Chapters never overlap, but they can touch. Any range is accepted until the duration of the video is known; a chapter that begins beyond the end is then removed, and one that ends beyond it is shortened.',
  scope: 'videos:write',
  params: listParams,
  body: createChapterBody,
  status: 201,
  response: chapterListSchema,
  audit: {
    action: 'chapter.create',
    fields: CHAPTER_FIELDS,
    after: ({ data }) => data.toSorted((a, b) => b.id - a.id)[0] ?? null,
  },
  errors: ['invalid_chapter_range', 'chapter_overlap', 'too_many_chapters'],
  handle({ accountId, params: { id: videoId }, body, commit }) {
    return commit(async (tx) => {
      await createChapter(tx, accountId, videoId, body)
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
  response: chapterListSchema,
  async handle({ deps, accountId, params: { id } }) {
    const em = deps.db.em.fork()
    orNotFound(await findVideo(em, accountId, id), 'video_not_found')
    return listOfVideo(em, id)
  },
})

const update = operation({
  id: 'updateChapter',
  method: 'patch',
  path: '/v1/videos/{id}/chapters/{chapter_id}',
  tag,
  summary: 'Change a chapter',
  description: 'Returns the whole list.',
  scope: 'videos:write',
  params: oneParams,
  body: updateChapterBody,
  status: 200,
  response: chapterListSchema,
  audit: {
    action: 'chapter.update',
    fields: CHAPTER_FIELDS,
    before: readChapter,
    after: ({ data }, { chapter_id: id }) => data.find((one) => one.id === id) ?? null,
  },
  errors: ['invalid_chapter_range', 'chapter_overlap'],
  handle({ accountId, params: { id: videoId, chapter_id: id }, body, commit }) {
    return commit(async (tx) => {
      await changeChapter(tx, accountId, videoId, id, body)
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
  response: deletedChapterSchema,
  audit: { action: 'chapter.delete', fields: CHAPTER_FIELDS, before: readChapter },
  handle({ accountId, params: { id: videoId, chapter_id: id }, commit }) {
    return commit(async (tx) => {
      await deleteChapter(tx, accountId, videoId, id)
      return { id, object: 'chapter', deleted: true }
    })
  },
})

const listOfVideo = async (em: EntityManager, videoId: string) =>
  wholeListView(await listChapters(em, videoId), chapterView, `/v1/videos/${videoId}/chapters`)

export const chapterOperations = [create, list, update, remove]
