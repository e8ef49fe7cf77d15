import { findViewer, listProgress, listViewers } from '../../db/audience/list-viewers.ts'
import { findVideo } from '../../db/videos/videos.ts'
import { VIEWER_ID_MAX_LENGTH } from '../../domain/limits.ts'
import { ApiError } from '../../http/api-error.ts'
import { listQuery, rowIdInQuery, toPage } from '../../http/list.ts'
import { operation } from '../../http/operation.ts'
import { text } from '../../http/text.ts'
import {
  progressListSchema,
  progressSchema,
  progressView,
  viewerListSchema,
  viewerSchema,
  viewerView,
} from '../../views/audience/viewers.ts'
import { listView } from '../../views/list.ts'
import { videoId } from '../../views/videos/video.ts'

const tag = 'Audience'
const viewerId = text({ maxLength: VIEWER_ID_MAX_LENGTH, example: 'student-42' })
const viewer = { viewer_id: { schema: viewerId, notFound: 'viewer_not_found' } } as const

const list = operation({
  id: 'listViewers',
  method: 'get',
  path: '/v1/viewers',
  tag,
  summary: 'List the viewers with a verified id, those that were counted last first',
  description: 'A viewer appears about three minutes after the end of the first play.',
  scope: 'audience:read',
  query: listQuery(rowIdInQuery, {
    prefix: viewerId.optional().meta({ description: 'The beginning of the viewer id.' }),
  }),
  status: 200,
  response: viewerListSchema,
  csv: { row: viewerSchema },
  async handle({ deps, accountId, query }) {
    const page = await listViewers(deps.db.em.fork(), accountId, query.prefix, toPage(query))
    return listView(page, viewerView, '/v1/viewers')
  },
})

const get = operation({
  id: 'getViewer',
  method: 'get',
  path: '/v1/viewers/{viewer_id}',
  tag,
  summary: 'Get a viewer',
  scope: 'audience:read',
  params: viewer,
  status: 200,
  response: viewerSchema,
  async handle({ deps, accountId, params }) {
    const found = await findViewer(deps.db.em.fork(), accountId, params.viewer_id)
    if (!found) throw new ApiError('viewer_not_found')
    return viewerView(found)
  },
})

const listVideos = operation({
  id: 'listViewerProgress',
  method: 'get',
  path: '/v1/viewers/{viewer_id}/progress',
  tag,
  summary: 'List the videos of a viewer, with position and completion',
  scope: 'audience:read',
  params: viewer,
  query: listQuery(rowIdInQuery, {}),
  status: 200,
  response: progressListSchema,
  csv: { row: progressSchema },
  async handle({ deps, accountId, params: { viewer_id: id }, query }) {
    const em = deps.db.em.fork()
    if (!(await findViewer(em, accountId, id))) throw new ApiError('viewer_not_found')
    const page = await listProgress(em, accountId, { viewerId: id }, toPage(query))
    return listView(page, progressView, `/v1/viewers/${encodeURIComponent(id)}/progress`)
  },
})

const listOfVideo = operation({
  id: 'listVideoViewers',
  method: 'get',
  path: '/v1/videos/{id}/viewers',
  tag,
  summary: 'List the viewers of a video, with position and completion',
  scope: 'audience:read',
  params: { id: { schema: videoId, notFound: 'video_not_found' } },
  query: listQuery(rowIdInQuery, {}),
  status: 200,
  response: progressListSchema,
  csv: { row: progressSchema },
  async handle({ deps, accountId, params: { id }, query }) {
    const em = deps.db.em.fork()
    if (!(await findVideo(em, accountId, id))) throw new ApiError('video_not_found')
    const page = await listProgress(em, accountId, { videoId: id }, toPage(query))
    return listView(page, progressView, `/v1/videos/${id}/viewers`)
  },
})

export const viewerOperations = [list, get, listVideos, listOfVideo]
