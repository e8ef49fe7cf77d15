import type { EntityManager } from '../database.ts'
import { findVideos, type VideoPage, type VideoPageRequest } from './find-videos.ts'
import { countMatches, type MatchCounts } from './video-matches.ts'
import type { VideoQuery } from './video-query.ts'

export interface FoundVideos extends MatchCounts {
  page: VideoPage
}

/** A page of the videos that match, with their counts. */
export async function searchVideos(
  em: EntityManager,
  query: VideoQuery,
  request: VideoPageRequest,
): Promise<FoundVideos> {
  const [page, counts] = await Promise.all([
    findVideos(em, query, request),
    countMatches(em.fork(), query),
  ])
  return { page, ...counts }
}
