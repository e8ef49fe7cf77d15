import { z } from 'zod'
import { isStatementTimeout } from '../../db/errors.ts'
import { findVideos, type VideoPageRequest } from '../../db/videos/find-videos.ts'
import type { Range, VideoQuery } from '../../db/videos/video-query.ts'
import { ApiError } from '../../http/api-error.ts'
import { operation } from '../../http/operation.ts'
import { listView } from '../../views/list.ts'
import { videoListSchema, videoView } from '../../views/videos/video.ts'
import { listVideosQuery, NO_FOLDER } from './list-videos-query.ts'
import { cursorOf, positionOf } from './video-cursor.ts'

/** Lists the videos that match a search (ADR 0072). */
export const listVideos = operation({
  id: 'listVideos',
  method: 'get',
  path: '/v1/videos',
  tag: 'Videos',
  summary: 'List videos, newest first',
  description:
    'All filters must apply. A video that nothing changes while you read is on exactly one page. Each filter, alone or with `folder_id` or `status`, is read from an index; a search that takes longer than 2.5 seconds is refused with `query_too_broad`.',
  scope: 'videos:read',
  query: listVideosQuery,
  status: 200,
  response: videoListSchema,
  errors: ['query_too_broad'],
  async handle({ deps, accountId, query }) {
    const em = deps.db.em.fork()
    const request: VideoPageRequest = {
      sort: query.sort,
      limit: query.limit,
      after: await positionOf(em, accountId, query, 'starting_after'),
      before: await positionOf(em, accountId, query, 'ending_before'),
    }
    const { first, last, ...page } = await refuseSlow(
      findVideos(em, searchOf(accountId, query), request),
    )
    return {
      ...listView(page, (row) => videoView(row, deps.embedBase), '/v1/videos'),
      next_cursor: last && cursorOf(query.sort, last),
      previous_cursor: first && cursorOf(query.sort, first),
    }
  },
})

const searchOf = (accountId: number, query: z.output<typeof listVideosQuery>): VideoQuery => ({
  accountId,
  externalId: query.external_id,
  status: query.status,
  folderId: query.folder_id === NO_FOLDER ? null : query.folder_id,
  protection: query.protection,
  tags: query.tag,
  metadata: query.metadata,
  words: query.title,
  createdAt: periodOf(query, 'created'),
  updatedAt: periodOf(query, 'updated'),
  durationMs: {
    gte: toMs(query['duration[gte]']),
    gt: toMs(query['duration[gt]']),
    lte: toMs(query['duration[lte]']),
    lt: toMs(query['duration[lt]']),
  },
})

/** Responses show whole milliseconds, so a time counts as the millisecond in which it is. */
function periodOf(
  query: z.output<typeof listVideosQuery>,
  name: 'created' | 'updated',
): Range<Date> {
  const after = (date: Date | undefined) => date && new Date(date.getTime() + 1)
  const dates = (...given: (Date | undefined)[]) => given.filter((date) => date !== undefined)
  const [gte] = dates(query[`${name}[gte]`], after(query[`${name}[gt]`]))
    .toSorted(byTime)
    .reverse()
  const [lt] = dates(query[`${name}[lt]`], after(query[`${name}[lte]`])).toSorted(byTime)
  return { gte, lt }
}

const byTime = (one: Date, other: Date): number => one.getTime() - other.getTime()

const toMs = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1_000

async function refuseSlow<T>(search: Promise<T>): Promise<T> {
  try {
    return await search
  } catch (error) {
    throw isStatementTimeout(error) ? new ApiError('query_too_broad') : error
  }
}
