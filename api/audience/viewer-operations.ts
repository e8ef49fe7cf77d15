import { listProgress, listViewers } from '../../db/audience/list-viewers.ts'
import { listQuery, rowIdInQuery, toPage } from '../../http/list.ts'
import { operation } from '../../http/operation.ts'
import {
  progressListSchema,
  progressSchema,
  progressView,
  viewerListSchema,
  viewerSchema,
  viewerView,
} from '../../views/audience/viewers.ts'
import { listView } from '../../views/list.ts'
import { viewerId } from '../../views/playback/viewer.ts'
import { videoId } from '../../views/videos/video.ts'

const tag = 'Audience'
// In the query: a path cannot hold every viewer id, such as `..`.
const ofViewer = viewerId.optional().meta({ description: 'Only this viewer.' })

const list = operation({
  id: 'listViewers',
  method: 'get',
  path: '/v1/viewers',
  tag,
  summary: 'List the viewers with a verified id, those that were counted last first',
  description: 'A viewer appears about three minutes after the end of the first play.',
  scope: 'audience:read',
  query: listQuery(rowIdInQuery, {
    viewer_id: ofViewer,
    prefix: viewerId.optional().meta({ description: 'The beginning of the viewer id.' }),
  }),
  status: 200,
  response: viewerListSchema,
  csv: { row: viewerSchema },
  async handle({ deps, accountId, query }) {
    const filter = { viewerId: query.viewer_id, prefix: query.prefix }
    const page = await listViewers(deps.db.em.fork(), accountId, filter, toPage(query))
    return listView(page, viewerView, '/v1/viewers')
  },
})

const listOfBoth = operation({
  id: 'listViewerProgress',
  method: 'get',
  path: '/v1/viewer-progress',
  tag,
  summary: 'List how far viewers are in videos, with position and completion',
  description:
    'The videos of a viewer, or the viewers of a video, those that were counted last first.',
  scope: 'audience:read',
  query: listQuery(rowIdInQuery, {
    viewer_id: ofViewer,
    video_id: videoId.optional().meta({ description: 'Only this video.' }),
  }),
  status: 200,
  response: progressListSchema,
  csv: { row: progressSchema },
  async handle({ deps, accountId, query }) {
    const filter = { viewerId: query.viewer_id, videoId: query.video_id }
    const page = await listProgress(deps.db.em.fork(), accountId, filter, toPage(query))
    return listView(page, progressView, '/v1/viewer-progress')
  },
})

export const viewerOperations = [list, listOfBoth]
