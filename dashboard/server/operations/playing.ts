import { z } from 'zod'
import { endPlayback } from '../../../commands/viewers/end-playback.ts'
import { listPlayingSessions } from '../../../db/playback/playing-sessions.ts'
import { PLAYING_SESSIONS_MAX } from '../../../domain/limits.ts'
import { numberAsText } from '../../../http/list.ts'
import { operation } from '../../../http/operation.ts'
import { text } from '../../../http/text.ts'
import { listView } from '../../../views/list.ts'
import {
  playbackSessionId,
  playingSessionListSchema,
  playingSessionSchema,
  playingSessionView,
} from '../../../views/playback/playing-session.ts'
import { videoId } from '../../../views/videos/video.ts'

const tag = 'Playback'
const FILTER_MAX_LENGTH = 64
const HOST_MAX_LENGTH = 253

const limit = numberAsText(z.int().min(1).max(PLAYING_SESSIONS_MAX), {
  minimum: 1,
  maximum: PLAYING_SESSIONS_MAX,
  default: PLAYING_SESSIONS_MAX,
}).default(PLAYING_SESSIONS_MAX)

const list = operation({
  id: 'listPlayingSessions',
  method: 'get',
  path: '/playing',
  tag,
  summary: 'List the playback sessions that play now, most recently started first',
  description: 'A session plays if its player sent a heartbeat within the last 90 seconds.',
  scope: 'viewers:read',
  query: z.strictObject({
    limit,
    video_id: videoId.optional(),
    viewer_id: text({ maxLength: FILTER_MAX_LENGTH }).optional(),
    host: text({ maxLength: HOST_MAX_LENGTH, example: 'courses.example.com' }).optional(),
  }),
  status: 200,
  response: playingSessionListSchema,
  async handle({ deps, accountId, query }) {
    const filter = { videoId: query.video_id, viewerId: query.viewer_id, host: query.host }
    const page = await listPlayingSessions(deps.db.em.fork(), accountId, filter, query.limit)
    return listView(page, playingSessionView, '/playing')
  },
})

const end = operation({
  id: 'endPlayingSession',
  method: 'post',
  path: '/playing/{id}/end',
  tag,
  summary: 'End a playback session',
  description:
    'It gets no more keys, and its player stops at the next heartbeat, within about a minute. The viewer may open the page again: revoke the viewer to prevent that.',
  scope: 'viewers:write',
  params: { id: { schema: playbackSessionId, notFound: 'playback_session_not_found' } },
  status: 200,
  response: playingSessionSchema,
  audit: { action: 'playback_session.end', fields: ['video_id', 'viewer_id', 'host'] },
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) => playingSessionView(await endPlayback(tx, accountId, id)))
  },
})

export const playingOperations = [list, end]
