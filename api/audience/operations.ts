import { z } from 'zod'
import { readBreakdown, readRetention } from '../../db/audience/read-breakdowns.ts'
import { readTopVideos, type TopVideo } from '../../db/audience/read-top-videos.ts'
import type { EntityManager } from '../../db/database.ts'
import { findVideo } from '../../db/videos/videos.ts'
import { VALUES_MAX } from '../../domain/audience/breakdown.ts'
import { TIME_DEFINITION } from '../../domain/audience/definitions.ts'
import { ALL_VIDEOS } from '../../domain/audience/fold-sessions.ts'
import { AUDIENCE_HOUR_KEPT_DAYS } from '../../domain/limits.ts'
import { ApiError } from '../../http/api-error.ts'
import { limitInQuery } from '../../http/list.ts'
import { operation } from '../../http/operation.ts'
import {
  audienceInterval,
  audienceSchema,
  audienceView,
  pointSchema,
} from '../../views/audience/audience.ts'
import {
  breakdownKind,
  breakdownListSchema,
  breakdownSchema,
  breakdownView,
  retentionSchema,
  retentionView,
  topOrder,
  topVideoListSchema,
  topVideoSchema,
  topVideoView,
} from '../../views/audience/breakdowns.ts'
import { wholeListView } from '../../views/list.ts'
import { videoId } from '../../views/videos/video.ts'
import { rangeOf, rangeQuery } from './ranges.ts'
import { readAudience } from './read-audience.ts'

const tag = 'Audience'
const ofVideo = videoId.optional().meta({
  description: 'Only this video. Without it, all videos of the account, also deleted ones.',
})

/** Throws 404 `video_not_found` unless the video, if one is named, is the account's. */
async function requireVideo(
  em: EntityManager,
  accountId: number,
  id: string | undefined,
): Promise<void> {
  if (id !== undefined && !(await findVideo(em, accountId, id)))
    throw new ApiError('video_not_found')
}

const get = operation({
  id: 'getAudience',
  method: 'get',
  path: '/v1/audience',
  tag,
  summary: 'Get plays, viewers, watched time and quality, in total and by hour, day or month',
  description: `${TIME_DEFINITION} Hours are kept for ${AUDIENCE_HOUR_KEPT_DAYS} days.`,
  scope: 'audience:read',
  query: z.strictObject({
    ...rangeQuery,
    interval: audienceInterval.default('day'),
    video_id: ofVideo,
  }),
  status: 200,
  response: audienceSchema,
  csv: { row: pointSchema, rows: ({ series }) => series },
  errors: ['video_not_found'],
  async handle({ deps, accountId, query }) {
    const { interval, video_id: id } = query
    const range = rangeOf(query, interval)
    const em = deps.db.em.fork()
    await requireVideo(em, accountId, id)
    return audienceView(
      await readAudience(em, { accountId, videoId: id ?? null, interval, ...range }),
    )
  },
})

const ORDERS = { plays: 'plays', watch_seconds: 'watchedMs' } as const

const listVideos = operation({
  id: 'listAudienceVideos',
  method: 'get',
  path: '/v1/audience/videos',
  tag,
  summary: 'List the most watched videos',
  scope: 'audience:read',
  query: z.strictObject({
    ...rangeQuery,
    order: topOrder.default('plays'),
    limit: limitInQuery,
  }),
  status: 200,
  response: topVideoListSchema,
  csv: { row: topVideoSchema },
  async handle({ deps, accountId, query }) {
    const range = { accountId, ...rangeOf(query) }
    const rows = await readTopVideos(deps.db.em.fork(), range, ORDERS[query.order], query.limit)
    const view = (row: TopVideo) => topVideoView(row, deps.embedBase)
    return wholeListView(rows, view, '/v1/audience/videos')
  },
})

const breakdown = operation({
  id: 'getAudienceBreakdown',
  method: 'get',
  path: '/v1/audience/breakdown',
  tag,
  summary:
    'Break plays down by host, browser, system, quality, speed, error or time to the first frame',
  scope: 'audience:read',
  query: z.strictObject({ ...rangeQuery, kind: breakdownKind, video_id: ofVideo }),
  status: 200,
  response: breakdownListSchema,
  csv: { row: breakdownSchema },
  errors: ['video_not_found'],
  async handle({ deps, accountId, query }) {
    const { kind, video_id: id } = query
    const range = { accountId, videoId: id ?? ALL_VIDEOS, ...rangeOf(query) }
    const em = deps.db.em.fork()
    await requireVideo(em, accountId, id)
    const rows = await readBreakdown(em, range, kind, 2 * VALUES_MAX)
    return wholeListView(rows, breakdownView(kind), '/v1/audience/breakdown')
  },
})

const retention = operation({
  id: 'getRetention',
  method: 'get',
  path: '/v1/videos/{id}/retention',
  tag,
  summary: 'Get the retention curve of a video: which share of plays has shown each hundredth',
  description:
    'Curves are kept by month: a month counts as a whole if one of its days is in the range.',
  scope: 'audience:read',
  params: { id: { schema: videoId, notFound: 'video_not_found' } },
  query: z.strictObject(rangeQuery),
  status: 200,
  response: retentionSchema,
  async handle({ deps, accountId, params, query }) {
    const range = rangeOf(query)
    const em = deps.db.em.fork()
    await requireVideo(em, accountId, params.id)
    const sums = await readRetention(em, { accountId, videoId: params.id, ...range })
    return retentionView(params.id, range, sums)
  },
})

export const audienceOperations = [get, listVideos, breakdown, retention]
