import { deleteCaption, findCaption, listCaptions, putCaption } from '../../db/captions.ts'
import { CAPTIONS_MAX } from '../../domain/limits.ts'
import { announceCaptions } from '../../commands/captions/announce-captions.ts'
import { ApiError } from '../api-error.ts'
import { operation } from '../operation.ts'
import { requireLockedVideo, requireVideo } from '../videos/require-video.ts'
import { videoIdParameter } from '../videos/schemas.ts'
import { readCaption } from './read-caption.ts'
import { createCaptionBody, languageParameter } from './schemas.ts'
import {
  captionListSchema,
  captionSchema,
  captionView,
  captionWithContentSchema,
  captionWithContentView,
  deletedCaptionSchema,
} from '../../views/caption.ts'
import { wholeListView } from '../../views/list.ts'

const tag = 'Captions'
const listParams = { id: videoIdParameter }
const oneParams = { id: videoIdParameter, language_code: languageParameter }

const create = operation({
  id: 'createCaption',
  method: 'post',
  path: '/v1/videos/{id}/captions',
  tag,
  summary: 'Add a caption, or replace the one of its language',
  scope: 'videos:write',
  params: listParams,
  body: createCaptionBody,
  status: 201,
  answer: captionSchema,
  errors: [
    'invalid_caption',
    'invalid_source_url',
    'source_not_allowed',
    'source_unreachable',
    'source_too_large',
    'too_many_redirects',
    'too_many_captions',
  ],
  async handle({ deps, accountId, params: { id: videoId }, body, commit }) {
    await requireVideo(deps.db.em.fork(), accountId, videoId)
    const content = await readCaption(deps.egress, body)
    const { language_code: languageCode, label } = body
    return commit(async (tx) => {
      await requireLockedVideo(tx, accountId, videoId)
      const sizeBytes = Buffer.byteLength(content)
      await putCaption(tx, { videoId, languageCode, label, content, sizeBytes })
      const captions = await listCaptions(tx, videoId)
      if (captions.length > CAPTIONS_MAX) throw new ApiError('too_many_captions')
      await announceCaptions(tx, accountId, videoId, captions)
      const made = captions.find((caption) => caption.languageCode === languageCode)
      if (!made) throw new Error('the caption that was just written is not there')
      return captionView(made)
    })
  },
})

const list = operation({
  id: 'listCaptions',
  method: 'get',
  path: '/v1/videos/{id}/captions',
  tag,
  summary: 'List the captions of a video, by language',
  scope: 'videos:read',
  params: listParams,
  status: 200,
  answer: captionListSchema,
  async handle({ deps, accountId, params: { id } }) {
    const em = deps.db.em.fork()
    const video = await requireVideo(em, accountId, id)
    const captions = await listCaptions(em, video.id)
    return wholeListView(captions, captionView, `/v1/videos/${video.id}/captions`)
  },
})

const get = operation({
  id: 'getCaption',
  method: 'get',
  path: '/v1/videos/{id}/captions/{language_code}',
  tag,
  summary: 'Get a caption with its text',
  scope: 'videos:read',
  params: oneParams,
  status: 200,
  answer: captionWithContentSchema,
  async handle({ deps, accountId, params: { id, language_code: languageCode } }) {
    const em = deps.db.em.fork()
    const video = await requireVideo(em, accountId, id)
    const caption = await findCaption(em, video.id, languageCode)
    if (!caption) throw new ApiError('caption_not_found')
    return captionWithContentView(caption)
  },
})

const remove = operation({
  id: 'deleteCaption',
  method: 'delete',
  path: '/v1/videos/{id}/captions/{language_code}',
  tag,
  summary: 'Delete a caption',
  scope: 'videos:write',
  params: oneParams,
  status: 200,
  answer: deletedCaptionSchema,
  handle({ accountId, params: { id: videoId, language_code: languageCode }, commit }) {
    return commit(async (tx) => {
      await requireLockedVideo(tx, accountId, videoId)
      if (!(await deleteCaption(tx, videoId, languageCode))) throw new ApiError('caption_not_found')
      await announceCaptions(tx, accountId, videoId, await listCaptions(tx, videoId))
      return { object: 'caption', language_code: languageCode, deleted: true }
    })
  },
})

export const captionOperations = [create, list, get, remove]
