import { sql, type RawBuilder } from 'kysely'
import type { EntityManager } from '../database.ts'
import type { Video } from '../entities/video.ts'
import { queries } from '../queries.ts'
import {
  all,
  countRanges,
  hasTerms,
  matching,
  rangeOf,
  readSought,
  rowConditions,
  sourceOf,
  type Sought,
} from './matching-videos.ts'
import { withDetails, type VideoDetails } from './video-details.ts'
import { VIDEO_SORTS, type VideoPosition, type VideoQuery, type VideoSort } from './video-query.ts'
import type { SoughtTerms } from './video-terms.ts'

/** The start, the length and the order of a page; at most one of the positions is given. */
export interface VideoPageRequest {
  sort: VideoSort
  limit: number
  /** Only videos behind this place. */
  after?: VideoPosition | undefined
  /** Only videos before this place, those nearest to it. */
  before?: VideoPosition | undefined
}

/** A page of videos in the order of its list. */
export interface VideoPage {
  rows: VideoDetails[]
  hasMore: boolean
  /** The places of its first and its last video; null for an empty page. */
  first: VideoPosition | null
  last: VideoPosition | null
}

const EMPTY: VideoPage = { rows: [], hasMore: false, first: null, last: null }

/**
 * Finds a page of the account's videos. A video that is not changed meanwhile is on exactly one page, whatever happens to others
 * (ADR 0072). Up to `fewMax` videos are sorted.
 */
export async function findVideos(
  em: EntityManager,
  query: VideoQuery,
  request: VideoPageRequest,
  fewMax?: number,
): Promise<VideoPage> {
  const sought = await readSought(em, query, fewMax)
  if (!sought) return EMPTY
  const { rows } = await sql<Video & { place: string }>`
    select v.*, p.place from (${placesOf(sought, request)}) p join video v on v.id = p.id
    order by p.sorted ${orderOf(request)}, p.id ${orderOf(request)}`.execute(queries(em))
  return pageOf(em, rows, request)
}

async function pageOf(
  em: EntityManager,
  found: (Video & { place: string })[],
  { limit, before }: VideoPageRequest,
): Promise<VideoPage> {
  const rows = found.slice(0, limit)
  if (before) rows.reverse()
  const [first, last] = [rows[0], rows.at(-1)].map((row) => row && { value: row.place, id: row.id })
  if (!first || !last) return EMPTY
  const videos = rows.map(({ place: _place, ...video }) => video)
  return { rows: await withDetails(em, videos), hasMore: found.length > limit, first, last }
}

/** Selects the ids of a page and one more, each with its place as a value, `sorted`, and as text. */
function placesOf(sought: Sought, request: VideoPageRequest): RawBuilder<unknown> {
  const { column } = VIDEO_SORTS[request.sort]
  if (sought.terms && column === 'createdAt' && isInOrderOfTerm(sought))
    return byTerm(sought.query, request, sought.terms)
  const at = sql.ref(`v.${column}`)
  // The newest videos are few in the order of their creation.
  const isShortPart = sought.query.titlePart !== undefined && sought.titleCount === null
  const source = column === 'createdAt' && isShortPart ? 'all' : sourceOf(sought)
  return sql`select v.id, ${at} as sorted, ${placeOf(request.sort, at)} as place from ${matching(sought, source)}
      and ${isBeyond(request, at, sql`v.id`)}
    ${inOrder(request)}`
}

/**
 * Whether the index of the rarest term is read in the order of creation. An index of a time or of the duration has the folder and the status
 * too, so the planner chooses what such a search reads.
 */
function isInOrderOfTerm(sought: Sought): boolean {
  const { query, terms } = sought
  const isScopeAlone = terms?.isScopeAlone === true
  const hasRange = countRanges({ ...query, createdAt: undefined }) > 0
  return (
    query.externalId === undefined && sourceOf(sought) !== 'title' && !(isScopeAlone && hasRange)
  )
}

/** Reads the videos of the rarest term in its index, which has the order of the list. */
function byTerm(
  query: VideoQuery,
  request: VideoPageRequest,
  { rarest, others }: SoughtTerms,
): RawBuilder<unknown> {
  const rest = rowConditions({ ...query, createdAt: undefined }, 'others')
  const ofRow =
    rest.length > 0
      ? [sql`exists (select from video v where v.id = t.video_id and ${all(rest)} offset 0)`]
      : []
  return sql`select t.video_id as id, t.created_at as sorted, ${placeOf(request.sort, sql`t.created_at`)} as place from video_term t
    where t.account_id = ${query.accountId} and t.term = ${rarest.term}::bigint
      and ${all([...rangeOf(sql`t.created_at`, query.createdAt), ...hasTerms(query, others, 't.created_at', 't.video_id'), ...ofRow])}
      and ${isBeyond(request, sql`t.created_at`, sql`t.video_id`)}
    ${inOrder(request)}`
}

/** Towards the end of the list, or back from `before`. */
const isDescending = ({ sort, before }: VideoPageRequest): boolean =>
  VIDEO_SORTS[sort].isDescending === (before === undefined)

const orderOf = (request: VideoPageRequest) => (isDescending(request) ? sql`desc` : sql`asc`)

/** Of a select whose columns are `sorted` and `id`. */
const inOrder = (request: VideoPageRequest) =>
  sql`order by sorted ${orderOf(request)}, id ${orderOf(request)} limit ${request.limit + 1}`

function isBeyond(
  request: VideoPageRequest,
  at: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const from = request.after ?? request.before
  if (!from) return sql`true`
  const value =
    VIDEO_SORTS[request.sort].column === 'searchTitle'
      ? sql`${from.value}::text collate "C"`
      : sql`(timestamptz 'epoch' + ${from.value}::bigint * interval '1 microsecond')`
  return sql`(${at}, ${id}) ${isDescending(request) ? sql`<` : sql`>`} (${value}, ${from.id})`
}

/** The value of a place as text: times as microseconds since 1970. */
const placeOf = (sort: VideoSort, at: RawBuilder<unknown>): RawBuilder<unknown> =>
  VIDEO_SORTS[sort].column === 'searchTitle'
    ? at
    : sql`(extract(epoch from ${at}) * 1000000)::bigint::text`

/** The place that a video has now in an order, also a deleted one; null if it never was the account's. */
export async function findPositionOf(
  em: EntityManager,
  accountId: number,
  id: string,
  sort: VideoSort,
): Promise<VideoPosition | null> {
  const value = placeOf(sort, sql.ref(`v.${VIDEO_SORTS[sort].column}`))
  const { rows } = await sql<VideoPosition>`
    select ${value} as value, v.id from video v where v.id = ${id} and v.account_id = ${accountId}`.execute(
    queries(em),
  )
  return rows[0] ?? null
}
