import { sql, type RawBuilder } from 'kysely'
import type { EntityManager } from '../database.ts'
import type { Video } from '../entities/video.ts'
import { queries } from '../queries.ts'
import { withDetails, type VideoDetails } from './video-details.ts'
import {
  VIDEO_SORTS,
  type Range,
  type VideoPosition,
  type VideoQuery,
  type VideoSort,
} from './video-query.ts'
import { readTerms, type SoughtTerm, type SoughtTerms } from './video-terms.ts'

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

/** Up to so many videos of a term are sorted; with more, the index of the order is read and most of them are met soon. */
const SORTED_MAX = 2_000

/**
 * Finds a page of the account's videos. A video that is not changed meanwhile is on exactly one page, whatever happens to others
 * (ADR 0072).
 */
export async function findVideos(
  em: EntityManager,
  query: VideoQuery,
  request: VideoPageRequest,
): Promise<VideoPage> {
  const sought = await readTerms(em, query, SORTED_MAX + 1)
  if (sought?.rarest.count === 0) return EMPTY
  const places = placesOf(query, request, sought)
  const { rows } = await sql<Video & { place: string }>`
    select v.*, p.place from (${places}) p join video v on v.id = p.id
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
function placesOf(
  query: VideoQuery,
  request: VideoPageRequest,
  sought: SoughtTerms | null,
): RawBuilder<unknown> {
  const { column } = VIDEO_SORTS[request.sort]
  if (sought && query.externalId === undefined) {
    if (column === 'createdAt') return byTerm(query, request, sought)
    if (sought.rarest.count <= SORTED_MAX) return sortedByTerm(query, request, sought)
  }
  const at = sql.ref(`v.${column}`)
  const terms = sought && !sought.isScopeAlone ? [sought.rarest, ...sought.others] : []
  return sql`select v.id, ${at} as sorted, ${placeOf(request.sort, at)} as place from video v
    where v.account_id = ${query.accountId} and v.deleted_at is null and ${all(conditionsOf(query, true))}
      and ${all(hasTerms(query, terms, 'v.created_at', 'v.id'))}
      and ${isBeyond(request, at, sql`v.id`)}
    ${inOrder(request)}`
}

/** Reads the videos of the rarest term in its index, which has the order of the list. */
function byTerm(
  query: VideoQuery,
  request: VideoPageRequest,
  sought: SoughtTerms,
): RawBuilder<unknown> {
  const { rarest, others } = sought
  const rest = conditionsOf({ ...query, createdAt: undefined }, false)
  const ofRow =
    rest.length > 0
      ? [sql`exists (select from video v where v.id = t.video_id and ${all(rest)})`]
      : []
  return sql`select t.video_id as id, t.created_at as sorted, ${placeOf(request.sort, sql`t.created_at`)} as place from video_term t
    where t.account_id = ${query.accountId} and t.term = ${rarest.term}::bigint
      and ${all([...rangeOf(sql`t.created_at`, query.createdAt), ...hasTerms(query, others, 't.created_at', 't.video_id'), ...ofRow])}
      and ${isBeyond(request, sql`t.created_at`, sql`t.video_id`)}
    ${inOrder(request)}`
}

/** Sorts the videos of the rarest term. */
function sortedByTerm(
  query: VideoQuery,
  request: VideoPageRequest,
  { rarest, others }: SoughtTerms,
): RawBuilder<unknown> {
  const at = sql.ref(`v.${VIDEO_SORTS[request.sort].column}`)
  return sql`select v.id, ${at} as sorted, ${placeOf(request.sort, at)} as place
    from video_term t join video v on v.id = t.video_id
    where t.account_id = ${query.accountId} and t.term = ${rarest.term}::bigint
      and ${all(conditionsOf(query, false))}
      and ${all(hasTerms(query, others, 't.created_at', 't.video_id'))}
      and ${isBeyond(request, at, sql`v.id`)}
    ${inOrder(request)}`
}

/** The conditions on the row of a video that no term says; `isWhole`: those on its folder and status too. */
function conditionsOf(query: VideoQuery, isWhole: boolean): RawBuilder<unknown>[] {
  const { externalId, status, folderId, createdAt, updatedAt, durationMs } = query
  const isInBoth = status !== undefined && folderId !== undefined
  const folder = folderId === null ? sql`v.folder_id is null` : sql`v.folder_id = ${folderId}`
  return [
    ...(externalId === undefined ? [] : [sql`v.external_id = ${externalId}`]),
    ...(status !== undefined && (isWhole || isInBoth) ? [sql`v.status = ${status}`] : []),
    ...(folderId !== undefined && isWhole ? [folder] : []),
    ...rangeOf(sql`v.created_at`, createdAt),
    ...rangeOf(sql`v.updated_at`, updatedAt),
    ...rangeOf(sql`v.duration_ms`, durationMs),
  ]
}

const OPERATORS = { gte: sql`>=`, gt: sql`>`, lte: sql`<=`, lt: sql`<` }

const rangeOf = <T>(value: RawBuilder<unknown>, range: Range<T> = {}): RawBuilder<unknown>[] =>
  (['gte', 'gt', 'lte', 'lt'] as const)
    .filter((bound) => range[bound] !== undefined)
    .map((bound) => sql`${value} ${OPERATORS[bound]} ${range[bound]}`)

/** Conditions that a video has all terms; its time of creation and its id have these names. */
const hasTerms = (
  { accountId }: VideoQuery,
  terms: SoughtTerm[],
  createdAt: string,
  id: string,
): RawBuilder<unknown>[] =>
  terms.map(
    ({
      term,
    }) => sql`exists (select from video_term o where o.account_id = ${accountId} and o.term = ${term}::bigint
      and o.created_at = ${sql.ref(createdAt)} and o.video_id = ${sql.ref(id)})`,
  )

const all = (conditions: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`

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

/** The place of a video in the orders by creation; null if it never was the account's. */
export async function findPositionOf(
  em: EntityManager,
  accountId: number,
  id: string,
): Promise<VideoPosition | null> {
  const { rows } = await sql<VideoPosition>`
    select ${placeOf('created', sql`created_at`)} as value, id from video where id = ${id} and account_id = ${accountId}`.execute(
    queries(em),
  )
  return rows[0] ?? null
}
