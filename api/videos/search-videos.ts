import type { z } from 'zod'
import type { EntityManager } from '../../db/database.ts'
import type { VideoPage, VideoPageRequest } from '../../db/videos/find-videos.ts'
import type { Range, VideoQuery, VideoSort } from '../../db/videos/video-query.ts'
import { listView } from '../../views/list.ts'
import { videoView } from '../../views/videos/video.ts'
import { NO_FOLDER, type videoFilters } from './list-videos-query.ts'
import { cursorOf, positionOf, type IdPlaces } from './video-cursor.ts'

type FiltersInQuery = z.output<z.ZodObject<typeof videoFilters>>

interface PageInQuery {
  sort: VideoSort
  limit: number
  starting_after?: string | undefined
  ending_before?: string | undefined
}

/** The page that a query requests. Throws 422 `invalid_parameter` for a cursor that is none (`positionOf`). */
export const pageRequestOf = async (
  em: EntityManager,
  accountId: number,
  query: PageInQuery,
  changing: IdPlaces,
): Promise<VideoPageRequest> => ({
  sort: query.sort,
  limit: query.limit,
  after: await positionOf(em, accountId, query, 'starting_after', changing),
  before: await positionOf(em, accountId, query, 'ending_before', changing),
})

/** A page of videos as a list with the cursors of its neighbours. `embedBase` has no slash at its end. */
export function videoListView(
  { first, last, ...page }: VideoPage,
  sort: VideoSort,
  embedBase: string,
  url: string,
) {
  return {
    ...listView(page, (row) => videoView(row, embedBase), url),
    next_cursor: last && cursorOf(sort, last),
    previous_cursor: first && cursorOf(sort, first),
  }
}

/** The search of a query. */
export const searchOf = (accountId: number, query: FiltersInQuery): VideoQuery => ({
  accountId,
  externalId: query.external_id,
  status: query.status,
  folderId: query.folder_id === NO_FOLDER ? null : query.folder_id,
  protection: query.protection,
  tags: query.tag,
  metadata: query.metadata,
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
function periodOf(query: FiltersInQuery, name: 'created' | 'updated'): Range<Date> {
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
