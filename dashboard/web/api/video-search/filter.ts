import { PROTECTIONS, type Protection } from '../../../../domain/accounts/plan.ts'
import { startOfDay } from '../../../../domain/time-buckets.ts'
import { VIDEO_STATUSES, type VideoStatus } from '../../../../domain/videos/video-state.ts'
import { textIn } from '../cursors.ts'
import type { operations } from '../schema.ts'

/** In place of the id of a folder: the videos without one. */
export const NO_FOLDER = 'none'

/** The orders of the list; the first one is that without a choice. */
export const VIDEO_SORTS = [
  '-created',
  'created',
  '-updated',
  'updated',
  'title',
  '-title',
] as const

type VideoSort = (typeof VIDEO_SORTS)[number]

/** Which videos the list shows, on whichever page, and in which order: as in its address. */
export interface VideosMatch {
  q?: string
  status?: VideoStatus
  folder?: number | typeof NO_FOLDER
  protection?: Protection
  tag?: string
  external_id?: string
  /** A name of metadata, with its value. */
  key?: string
  value?: string
  /** Days in the time zone of the page; the last one is included. */
  created_from?: string
  created_to?: string
  min_seconds?: number
  max_seconds?: number
  sort?: VideoSort
}

/** What the list shows, as in its address. */
export interface VideosFilter extends VideosMatch {
  /** The cursors: the place of the last video of the previous page, or of the first one of the next page. */
  after?: string
  before?: string
}

/** The filter of an address; anything that it cannot mean is left out. */
export const videosFilter = (search: Record<string, unknown>): VideosFilter => ({
  ...videosMatch(search),
  after: textIn(search.after),
  before: textIn(search.before),
})

/** As `videosFilter`, without the page. */
export function videosMatch(search: Record<string, unknown>): VideosMatch {
  const { q, status, folder, protection, tag, external_id: externalId, sort } = search
  const pair = [textIn(search.key), textIn(search.value)]
  const [key, value] = pair.includes(undefined) ? [] : pair
  return {
    q: textIn(q),
    status: VIDEO_STATUSES.find((one) => one === status),
    folder: folder === NO_FOLDER ? NO_FOLDER : folderIn(folder),
    protection: PROTECTIONS.find((one) => one === protection),
    tag: textIn(tag),
    external_id: textIn(externalId),
    key,
    value,
    created_from: dayIn(search.created_from),
    created_to: dayIn(search.created_to),
    min_seconds: secondsIn(search.min_seconds),
    max_seconds: secondsIn(search.max_seconds),
    sort: VIDEO_SORTS.slice(1).find((one) => one === sort),
  }
}

/** The filters that the dialog of filters sets, and that are shown one by one; all are absent in this object. */
export const NO_MORE_FILTERS = {
  protection: undefined,
  tag: undefined,
  external_id: undefined,
  key: undefined,
  value: undefined,
  created_from: undefined,
  created_to: undefined,
  min_seconds: undefined,
  max_seconds: undefined,
} as const satisfies VideosMatch

/** The filters of `NO_MORE_FILTERS`. */
export type MoreFilters = Pick<VideosMatch, keyof typeof NO_MORE_FILTERS>

/** A changed filter begins at the first page. */
export const FIRST_PAGE = { after: undefined, before: undefined } as const

/** Whether an address shows less than all videos of the account, or a page of them. */
export const isFiltered = ({ sort: _sort, ...filter }: VideosFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined)

function folderIn(value: unknown): number | undefined {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** The longest length that the API knows. */
const SECONDS_MAX = 10_000_000

function secondsIn(value: unknown): number | undefined {
  const seconds = value === undefined || value === '' ? Number.NaN : Number(value)
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= SECONDS_MAX ? seconds : undefined
}

/** The API knows times since 1970, in UTC. */
const DAY = /^(?:19[89]\d|[2-8]\d{3}|9[0-8]\d\d)-\d\d-\d\d$/

const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined

type SearchQuery = NonNullable<operations['searchVideos']['parameters']['query']>
type FilterBody = NonNullable<
  NonNullable<operations['deleteVideos']['requestBody']>['content']['application/json']['filter']
>

/** A filter as the query of the search. Its days are those of a time zone. */
export function toSearchQuery(match: VideosMatch, timeZone: string): SearchQuery {
  const { q, status, folder, protection, tag, external_id: externalId, key, value, sort } = match
  const { gte, lt } = createdOf(match, timeZone)
  return {
    q,
    status,
    folder_id: folder,
    protection,
    external_id: externalId,
    tag: tag === undefined ? undefined : [tag],
    // The client encodes values, but not names.
    metadata:
      key === undefined || value === undefined ? undefined : { [encodeURIComponent(key)]: value },
    'created[gte]': gte,
    'created[lt]': lt,
    'duration[gte]': match.min_seconds,
    'duration[lte]': match.max_seconds,
    sort,
  }
}

/** A filter as a body names it. Its days are those of a time zone. */
export function toFilterBody(match: VideosMatch, timeZone: string): FilterBody {
  const { q, status, folder, protection, tag, external_id: externalId, key, value } = match
  return {
    q,
    status,
    folder_id: folder === NO_FOLDER ? null : folder,
    protection,
    external_id: externalId,
    tags: tag === undefined ? undefined : [tag],
    metadata: key === undefined || value === undefined ? undefined : { [key]: value },
    created: createdOf(match, timeZone),
    duration: { gte: match.min_seconds, lte: match.max_seconds },
  }
}

const createdOf = ({ created_from: from, created_to: to }: VideosMatch, timeZone: string) => ({
  gte: from && new Date(startOfDay(from, timeZone)).toISOString(),
  lt: to && new Date(startOfDay(dayAfter(to), timeZone)).toISOString(),
})

const DAY_MS = 86_400_000

const dayAfter = (day: string): string =>
  new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length)
