import { z } from 'zod'
import { createMoment, deleteMoment } from '../../commands/moments/moments.ts'
import type { EntityManager } from '../../db/database.ts'
import { listMoments } from '../../db/videos/annotations.ts'
import { findVideo } from '../../db/videos/videos.ts'
import { LABEL_MAX_LENGTH } from '../../domain/limits.ts'
import { orNotFound } from '../../http/api-error.ts'
import { rowIdParameter } from '../../http/list.ts'
import { operation } from '../../http/operation.ts'
import { text } from '../../http/text.ts'
import { wholeListView } from '../../views/list.ts'
import {
  deletedMomentSchema,
  momentListSchema,
  momentSchema,
  momentView,
} from '../../views/videos/annotations.ts'
import { seconds } from '../chapters/schemas.ts'
import { videoIdParameter } from '../videos/schemas.ts'

/** Body of POST /v1/videos/{id}/moments (contract, "Moment"). */
const createMomentBody = z.strictObject({
  label: text({ maxLength: LABEL_MAX_LENGTH, example: 'The goal' }),
  timestamp: seconds.meta({ description: 'Seconds; unique in the video.', example: 61 }),
})

const momentIdParameter = rowIdParameter('moment_not_found')

const tag = 'Moments'

/** Reads a moment for the audit log. */
async function readMoment(
  tx: EntityManager,
  _accountId: number,
  { id: videoId, moment_id: id }: { id: string; moment_id: number },
) {
  const moment = (await listMoments(tx, videoId)).find((one) => one.id === id)
  return moment ? momentView(moment) : null
}

const create = operation({
  id: 'createMoment',
  method: 'post',
  path: '/v1/videos/{id}/moments',
  tag,
  summary: 'Create a moment',
  description:
    'Any time is accepted until the duration of the video is known; moments beyond the end are then removed.',
  scope: 'videos:write',
  params: { id: videoIdParameter },
  body: createMomentBody,
  status: 201,
  response: momentSchema,
  audit: { action: 'moment.create', fields: ['label', 'timestamp'] },
  errors: ['moment_exists', 'too_many_moments'],
  handle({ accountId, params: { id: videoId }, body: { label, timestamp }, commit }) {
    const moment = { label, timestampSeconds: timestamp }
    return commit(async (tx) => momentView(await createMoment(tx, accountId, videoId, moment)))
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
  response: momentListSchema,
  async handle({ deps, accountId, params: { id } }) {
    const em = deps.db.em.fork()
    orNotFound(await findVideo(em, accountId, id), 'video_not_found')
    const moments = await listMoments(em, id)
    return wholeListView(moments, momentView, `/v1/videos/${id}/moments`)
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
  response: deletedMomentSchema,
  audit: { action: 'moment.delete', fields: ['label', 'timestamp'], before: readMoment },
  handle({ accountId, params: { id: videoId, moment_id: id }, commit }) {
    return commit(async (tx) => {
      await deleteMoment(tx, accountId, videoId, id)
      return { id, object: 'moment', deleted: true }
    })
  },
})

export const momentOperations = [create, list, remove]
