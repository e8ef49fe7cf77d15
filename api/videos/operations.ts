import { deleteVideo } from '../../commands/videos/delete-video.ts'
import { editVideo } from '../../commands/videos/edit-video.ts'
import type { EntityManager } from '../../db/database.ts'
import { readProgress } from '../../db/ingest/ingest-progress.ts'
import { lockVersion } from '../../db/versions.ts'
import { findVideoDetails } from '../../db/videos/video-details.ts'
import { findVideo } from '../../db/videos/videos.ts'
import { EDIT_BODY_MAX_BYTES } from '../../domain/limits.ts'
import { orNotFound } from '../../http/api-error.ts'
import { operation } from '../../http/operation.ts'
import {
  deletedVideoSchema,
  videoEmbedSchema,
  videoEmbedView,
  videoSchema,
  videoStatusSchema,
  videoStatusView,
  videoView,
} from '../../views/videos/video.ts'
import { readVideo, VIDEO_FIELDS } from './audit.ts'
import { createVideo } from './create-video.ts'
import { listVideos } from './list-videos.ts'
import { editOf, updateVideoBody, videoIdParameter } from './schemas.ts'

const params = { id: videoIdParameter }

const versioned = {
  lock: (tx: EntityManager, accountId: number, { id }: { id: string }) =>
    lockVersion(tx, 'video', accountId, id),
}

const get = operation({
  id: 'getVideo',
  method: 'get',
  path: '/v1/videos/{id}',
  tag: 'Videos',
  summary: 'Get a video',
  scope: 'videos:read',
  params,
  status: 200,
  response: videoSchema,
  hasEtag: true,
  async handle({ deps, accountId, params: { id }, withEtag }) {
    const found = await findVideoDetails(deps.db.em.fork(), accountId, id)
    const details = orNotFound(found, 'video_not_found')
    return withEtag(details.video.version, videoView(details, deps.embedBase))
  },
})

const update = operation({
  id: 'updateVideo',
  method: 'patch',
  path: '/v1/videos/{id}',
  tag: 'Videos',
  summary: 'Change a video',
  description:
    'Changes its title, description or folder, and what you keep with it: your own id, tags and metadata. Omitted fields keep their values.',
  scope: 'videos:write',
  params,
  body: updateVideoBody,
  bodyMaxBytes: EDIT_BODY_MAX_BYTES,
  status: 200,
  response: videoSchema,
  audit: { action: 'video.update', fields: VIDEO_FIELDS, before: readVideo },
  errors: ['folder_not_found', 'external_id_taken', 'too_much_metadata'],
  hasEtag: true,
  versioned,
  handle({ deps, accountId, params: { id }, body, commit, withEtag }) {
    return commit(async (tx) => {
      await editVideo(tx, accountId, id, editOf(body))
      const details = orNotFound(await findVideoDetails(tx, accountId, id), 'video_not_found')
      return withEtag(details.video.version, videoView(details, deps.embedBase))
    })
  },
})

const remove = operation({
  id: 'deleteVideo',
  method: 'delete',
  path: '/v1/videos/{id}',
  tag: 'Videos',
  summary: 'Delete a video',
  description:
    'Immediate and permanent. The ingest stops, playback ends, the keys are destroyed and the storage is released. The stored objects are removed in the background.',
  scope: 'videos:write',
  params,
  status: 200,
  response: deletedVideoSchema,
  audit: { action: 'video.delete', fields: VIDEO_FIELDS, before: readVideo },
  versioned,
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => {
      await deleteVideo(tx, accountId, id)
      return { id, object: 'video', deleted: true }
    })
  },
})

const getStatus = operation({
  id: 'getVideoStatus',
  method: 'get',
  path: '/v1/videos/{id}/status',
  tag: 'Videos',
  summary: 'Get the status of a video',
  description:
    'A small object for polling, with how far the ingest is. Poll every 10 to 30 seconds and stop at ready or failed.',
  scope: 'videos:read',
  params,
  status: 200,
  response: videoStatusSchema,
  async handle({ deps, accountId, params: { id } }) {
    const em = deps.db.em.fork()
    // The progress first: when a video becomes ready, its rows are removed.
    const [progress = null] = await readProgress(em, accountId, [id])
    const video = await findVideo(em, accountId, id)
    return videoStatusView(
      orNotFound(video, 'video_not_found'),
      orNotFound(progress, 'video_not_found'),
    )
  },
})

const getEmbed = operation({
  id: 'getVideoEmbed',
  method: 'get',
  path: '/v1/videos/{id}/embed',
  tag: 'Videos',
  summary: 'Get the embed URL of a video with an iframe snippet',
  scope: 'videos:read',
  params,
  status: 200,
  response: videoEmbedSchema,
  async handle({ deps, accountId, params: { id } }) {
    const video = await findVideo(deps.db.em.fork(), accountId, id)
    return videoEmbedView(orNotFound(video, 'video_not_found'), deps.embedBase)
  },
})

export const videoOperations = [createVideo, listVideos, get, update, remove, getStatus, getEmbed]
