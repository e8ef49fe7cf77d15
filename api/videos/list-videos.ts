import { findVideos } from '../../db/videos/find-videos.ts'
import { operation } from '../../http/operation.ts'
import { refuseSlow } from '../../http/refuse-slow.ts'
import { videoListSchema } from '../../views/videos/video.ts'
import { listVideosQuery } from './list-videos-query.ts'
import { pageRequestOf, searchOf, videoListView } from './search-videos.ts'

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
    const request = await pageRequestOf(em, accountId, query, 'refused')
    const sought = { ...searchOf(accountId, query), words: query.title }
    const page = await refuseSlow(findVideos(em, sought, request))
    return videoListView(page, query.sort, deps.embedBase, '/v1/videos')
  },
})
