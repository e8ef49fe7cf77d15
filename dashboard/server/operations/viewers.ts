import { z } from 'zod'
import { restoreViewer, revokeViewer } from '../../../commands/viewers/revoke-viewer.ts'
import { listViewerSessions } from '../../../db/audience/list-viewer-sessions.ts'
import { pageRevokedViewers } from '../../../db/playback/revoked-viewers.ts'
import { ApiError } from '../../../http/api-error.ts'
import { listQuery, listResponse, toPage } from '../../../http/list.ts'
import { operation } from '../../../http/operation.ts'
import { revokedViewerView } from '../../../views/accounts/account.ts'
import {
  viewerSessionListSchema,
  viewerSessionView,
} from '../../../views/audience/viewer-session.ts'
import { wholeListView } from '../../../views/list.ts'
import {
  restoredViewerSchema,
  revokedViewerListSchema,
  revokedViewerObjectSchema,
  viewerId,
} from '../../../views/playback/viewer.ts'

const tag = 'Viewers'

// In the body: a path cannot hold every viewer id, such as `..`.
const body = z.strictObject({ viewer_id: viewerId })

/** Makes the viewer the subject of the entry in the audit log. */
const subject = ({ viewer_id: id }: { viewer_id: string }) => ({ id })

const list = operation({
  id: 'listRevokedViewers',
  method: 'get',
  path: '/viewers',
  tag,
  summary: 'List revoked viewers, most recently revoked first',
  description: 'The cursors are viewer ids.',
  scope: 'viewers:read',
  query: listQuery(viewerId, {}),
  status: 200,
  response: revokedViewerListSchema,
  async handle({ deps, accountId, query }) {
    const page = await pageRevokedViewers(deps.db.em.fork(), accountId, toPage(query))
    const facts = { noun: 'revoked viewer', view: revokedViewerView, url: '/viewers' }
    return listResponse(page, query, facts)
  },
})

const listSessions = operation({
  id: 'listViewerSessions',
  method: 'get',
  path: '/viewers/sessions',
  tag,
  summary: 'List the last playback sessions of a viewer, most recently started first',
  description:
    'At most 20, of the 20 videos that the viewer has watched last. A session appears about three minutes after the end of the first play of its video, and stays as long as sessions are kept.',
  scope: 'audience:read',
  query: z.strictObject({ viewer_id: viewerId }),
  status: 200,
  response: viewerSessionListSchema,
  async handle({ deps, accountId, query }) {
    const sessions = await listViewerSessions(deps.db.em.fork(), accountId, query.viewer_id)
    return wholeListView(sessions, viewerSessionView, '/viewers/sessions')
  },
})

const revoke = operation({
  id: 'revokeViewer',
  method: 'post',
  path: '/viewers/revoke',
  tag,
  summary: 'Refuse all tokens of a viewer',
  description:
    'Playback ends within about a minute. Revoking a viewer again keeps the time of the first revocation.',
  scope: 'viewers:write',
  body,
  status: 200,
  response: revokedViewerObjectSchema,
  audit: { action: 'viewer.revoke', fields: [], after: subject },
  handle({ accountId, body: { viewer_id: id }, commit }) {
    return commit(async (tx) => revokedViewerView(await revokeViewer(tx, accountId, id)))
  },
})

const restore = operation({
  id: 'restoreViewer',
  method: 'post',
  path: '/viewers/restore',
  tag,
  summary: 'Accept the tokens of a revoked viewer again',
  scope: 'viewers:write',
  body,
  status: 200,
  response: restoredViewerSchema,
  audit: { action: 'viewer.restore', fields: [], after: subject },
  errors: ['revoked_viewer_not_found'],
  handle({ accountId, body: { viewer_id: id }, commit }) {
    return commit(async (tx) => {
      const isRestored = await restoreViewer(tx, accountId, id)
      if (!isRestored) throw new ApiError('revoked_viewer_not_found')
      return { object: 'viewer', viewer_id: id, is_revoked: false }
    })
  },
})

export const viewerOperations = [list, listSessions, revoke, restore]
