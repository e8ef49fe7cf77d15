import { countMoments, deleteMoment, insertMoment, listMoments } from '../../db/moments.ts'
import { isMomentTime } from '../../domain/chapters.ts'
import { MOMENTS_MAX } from '../../domain/limits.ts'
import { ApiError } from '../api-error.ts'
import { operation } from '../operation.ts'
import { refuseViolation } from '../refuse-violation.ts'
import { requireLockedVideo, requireVideo } from '../videos/require-video.ts'
import { videoIdParameter } from '../videos/schemas.ts'
import { createMomentBody, momentIdParameter } from './schemas.ts'
import { wholeListView } from '../../views/list.ts'
import {
  deletedMomentSchema,
  momentListSchema,
  momentSchema,
  momentView,
} from '../../views/moment.ts'

const tag = 'Moments'

const create = operation({
  id: 'createMoment',
  method: 'post',
  path: '/v1/videos/{id}/moments',
  tag,
  summary: 'Create a moment',
  description:
    'Before the length of the video is known, a moment may lie anywhere: once it is, a moment beyond the end is removed.',
  scope: 'videos:write',
  params: { id: videoIdParameter },
  body: createMomentBody,
  status: 201,
  answer: momentSchema,
  errors: ['moment_exists', 'too_many_moments'],
  handle({ accountId, params: { id: videoId }, body: { label, timestamp }, commit }) {
    return commit(async (tx) => {
      const video = await requireLockedVideo(tx, accountId, videoId)
      requireTime(timestamp, video.durationMs)
      if ((await countMoments(tx, videoId)) >= MOMENTS_MAX) throw new ApiError('too_many_moments')
      const moment = { videoId, label, timestampSeconds: timestamp }
      return momentView(await once(insertMoment(tx, moment)))
    })
  },
})

const list = operation({
  id: 'listMoments',
  method: 'get',
  path: '/v1/videos/{id}/moments',
  tag,
  summary: 'List the moments of a video, by time',
  scope: 'videos:read',
  params: { id: videoIdParameter },
  status: 200,
  answer: momentListSchema,
  async handle({ deps, accountId, params: { id } }) {
    const em = deps.db.em.fork()
    const video = await requireVideo(em, accountId, id)
    const moments = await listMoments(em, video.id)
    return wholeListView(moments, momentView, `/v1/videos/${video.id}/moments`)
  },
})

const remove = operation({
  id: 'deleteMoment',
  method: 'delete',
  path: '/v1/videos/{id}/moments/{moment_id}',
  tag,
  summary: 'Delete a moment',
  scope: 'videos:write',
  params: { id: videoIdParameter, moment_id: momentIdParameter },
  status: 200,
  answer: deletedMomentSchema,
  handle({ accountId, params: { id: videoId, moment_id: id }, commit }) {
    return commit(async (tx) => {
      await requireLockedVideo(tx, accountId, videoId)
      if (!(await deleteMoment(tx, videoId, id))) throw new ApiError('moment_not_found')
      return { id, object: 'moment', deleted: true }
    })
  },
})

function requireTime(timestamp: number, durationMs: number | null): void {
  if (!isMomentTime(timestamp, durationMs))
    throw new ApiError('invalid_parameter', {
      param: 'timestamp',
      message: '`timestamp` lies beyond the end of the video.',
    })
}

const once = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'unique', () => new ApiError('moment_exists', { param: 'timestamp' }))

export const momentOperations = [create, list, remove]
