import { z } from 'zod'
import { requestErasure } from '../../commands/viewers/erase-viewer.ts'
import { listProgress, listViewers } from '../../db/audience/list-viewers.ts'
import { listQuery, rowIdInQuery, toPage } from '../../http/list.ts'
import { operation } from '../../http/operation.ts'
import { viewerErasureSchema, viewerErasureView } from '../../views/audience/viewer-erasure.ts'
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

const erase = operation({
  id: 'eraseViewer',
  method: 'post',
  path: '/v1/viewers/erase',
  tag,
  summary: 'Erase all that is kept of a viewer',
  description:
    'Sessions, progress, security events, bodies of events, devices, reports and names in the audit log lose the viewer id within minutes. Totals stay, and a revocation stays as a hash. Running playback ends; to keep the viewer out, revoke the viewer first. Backups have the viewer until their retention is over.',
  scope: 'viewers:erase',
  body: z.strictObject({ viewer_id: viewerId }),
  status: 202,
  response: viewerErasureSchema,
  // The log gets a hash in place of the id.
  audit: { action: 'viewer.erase', fields: [], after: () => null },
  handle({ accountId, body: { viewer_id: id }, commit }) {
    return commit(async (tx) => viewerErasureView(await requestErasure(tx, accountId, id)))
  },
})

export const viewerOperations = [list, listOfBoth, erase]
