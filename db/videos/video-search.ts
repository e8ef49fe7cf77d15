import type { EntityManager } from '../database.ts'
import type { Page, PageRequest } from '../page.ts'
import { listVideos, type VideoDetails } from './video-details.ts'
import { countMatches, type MatchCounts, type VideoFilter } from './video-filter.ts'

export interface FoundVideos extends MatchCounts {
  page: Page<VideoDetails>
}

/** A page of the videos that match, newest first, with their counts. Null if the cursor is not a video of the account. */
export async function searchVideos(
  em: EntityManager,
  filter: VideoFilter,
  request: PageRequest<string>,
): Promise<FoundVideos | null> {
  const [page, counts] = await Promise.all([
    listVideos(em, filter, request),
    countMatches(em.fork(), filter),
  ])
  return page && { page, ...counts }
}
