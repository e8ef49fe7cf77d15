import type { VideoStatus } from '../domain/video-state.ts'
import type { EntityManager } from './database.ts'
import type { Page, PageRequest } from './page.ts'
import { hasVideoCursor, listVideos } from './video-details.ts'
import type { VideoDetails } from './video-details.ts'
import { countVideosByStatus } from './video-filter.ts'
import type { VideoFilter } from './video-filter.ts'

export interface FoundVideos {
  page: Page<VideoDetails>
  /** How many match but for the filter `status`; a status without videos is absent. */
  byStatus: Map<VideoStatus, number>
}

/** The index of titles has parts of this length; a shorter part is sought in every title. */
const INDEXED_LENGTH = 3

/** A page of the videos that match, newest first, with their counts. Null if the cursor is not a video of the account. */
export async function searchVideos(
  em: EntityManager,
  filter: VideoFilter,
  request: PageRequest<string>,
): Promise<FoundVideos | null> {
  const { titlePart } = filter
  const count = () => countVideosByStatus(em.fork(), { ...filter, status: undefined })
  if (titlePart !== undefined && titlePart.length < INDEXED_LENGTH) {
    const byStatus = await count()
    // Without a match, the page would read every title again.
    if (byStatus.size === 0)
      return (await hasVideoCursor(em, filter.accountId, request))
        ? { page: { rows: [], hasMore: false }, byStatus }
        : null
    const page = await listVideos(em, filter, request)
    return page && { page, byStatus }
  }
  const [page, byStatus] = await Promise.all([listVideos(em, filter, request), count()])
  return page && { page, byStatus }
}
