import { uploadPoster } from '../../commands/videos/upload-poster.ts'
import { findPosterUpload } from '../../db/videos/poster-uploads.ts'
import { findVideo } from '../../db/videos/videos.ts'
import { POSTER_UPLOAD_MAX_BYTES } from '../../domain/limits.ts'
import { orNotFound } from '../../http/api-error.ts'
import { operation } from '../../http/operation.ts'
import { posterUploadSchema, posterUploadView } from '../../views/videos/poster.ts'
import { videoIdParameter } from '../videos/schemas.ts'

const tag = 'Posters'
const path = '/v1/videos/{id}/poster/upload'
const params = { id: videoIdParameter }

const upload = operation({
  id: 'uploadPoster',
  method: 'post',
  path,
  tag,
  summary: 'Upload a picture as the poster of a video',
  description:
    'A JPEG, PNG or WebP picture, judged by its content. It is encoded again in the background and then replaces the poster; a picture that cannot be decoded leaves the poster as it is. A later upload or choice takes its place.',
  scope: 'videos:write',
  params,
  fileMaxBytes: POSTER_UPLOAD_MAX_BYTES,
  status: 202,
  response: posterUploadSchema,
  errors: [
    'video_not_ready',
    'too_many_poster_uploads',
    'unsupported_picture',
    'animated_picture',
    'picture_too_large',
    'picture_too_small',
  ],
  audit: { action: 'video.upload_poster', fields: ['format', 'size_bytes'] },
  handle: ({ accountId, params: { id }, file, commit }) =>
    commit(async (tx) => posterUploadView(id, await uploadPoster(tx, accountId, id, file))),
})

const get = operation({
  id: 'getPosterUpload',
  method: 'get',
  path,
  tag,
  summary: 'Get the state of the uploaded poster of a video',
  scope: 'videos:read',
  params,
  status: 200,
  response: posterUploadSchema,
  async handle({ deps, accountId, params: { id } }) {
    const em = deps.db.em.fork()
    orNotFound(await findVideo(em, accountId, id), 'video_not_found')
    return posterUploadView(id, await findPosterUpload(em, id))
  },
})

export const posterUploadOperations = [upload, get]
