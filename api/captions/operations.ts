import { deleteCaption, writeCaption } from '../../commands/captions/captions.ts'
import { findCaption, listCaptions } from '../../db/videos/annotations.ts'
import { findVideo } from '../../db/videos/videos.ts'
import { CAPTION_BODY_MAX_BYTES } from '../../domain/limits.ts'
import { orNotFound } from '../../http/api-error.ts'
import { operation } from '../../http/operation.ts'
import { wholeListView } from '../../views/list.ts'
import {
  captionListSchema,
  captionSchema,
  captionView,
  captionWithContentSchema,
  captionWithContentView,
  deletedCaptionSchema,
} from '../../views/videos/annotations.ts'
import { videoIdParameter } from '../videos/schemas.ts'
import { readCaption } from './read-caption.ts'
import { createCaptionBody, languageParameter, WRITE_CAPTION_ERRORS } from './schemas.ts'

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
  bodyMaxBytes: CAPTION_BODY_MAX_BYTES,
  status: 201,
  response: captionSchema,
  audit: { action: 'caption.write', fields: ['language_code', 'label', 'size_bytes'] },
  errors: WRITE_CAPTION_ERRORS,
  async handle({ params: { id: videoId }, body, commit, ...call }) {
    const { deps, accountId } = call
    const video = await findVideo(deps.db.em.fork(), accountId, videoId)
    orNotFound(video, 'video_not_found')
    const content = await readCaption(call, body)
    const { language_code: languageCode, label } = body
    const caption = { videoId, languageCode, label, content }
    return commit(async (tx) => captionView(await writeCaption(tx, accountId, caption)))
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
  response: captionListSchema,
  async handle({ deps, accountId, params: { id } }) {
    const em = deps.db.em.fork()
    orNotFound(await findVideo(em, accountId, id), 'video_not_found')
    const captions = await listCaptions(em, id)
    return wholeListView(captions, captionView, `/v1/videos/${id}/captions`)
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
  response: captionWithContentSchema,
  async handle({ deps, accountId, params: { id, language_code: languageCode } }) {
    const em = deps.db.em.fork()
    orNotFound(await findVideo(em, accountId, id), 'video_not_found')
    const caption = await findCaption(em, id, languageCode)
    return captionWithContentView(orNotFound(caption, 'caption_not_found'))
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
  response: deletedCaptionSchema,
  audit: { action: 'caption.delete', fields: [] },
  handle({ accountId, params: { id: videoId, language_code: languageCode }, commit }) {
    return commit(async (tx) => {
      await deleteCaption(tx, accountId, videoId, languageCode)
      return { object: 'caption', language_code: languageCode, deleted: true }
    })
  },
})

export const captionOperations = [create, list, get, remove]
