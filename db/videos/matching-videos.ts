import { sql, type RawBuilder } from 'kysely'
import { INDEXED_TITLE_PART_LENGTH, SHORT_SEARCH_VIDEOS_MAX } from '../../domain/limits.ts'
import type { EntityManager } from '../database.ts'
import { exactlyOne, queries } from '../queries.ts'
import type { Range, VideoQuery } from './video-query.ts'
import { readTerms, type SoughtTerm, type SoughtTerms } from './video-terms.ts'

/** Up to so many videos of a term or of a part of a title are sorted; with more, the index of the order is read and most of them are met soon. */
export const FEW_MAX = 2_000

/** A search, and how frequent what it seeks is. */
export interface Sought {
  query: VideoQuery
  terms: SoughtTerms | null
  /** How many titles have the part, counted up to a limit; null without a part that an index finds. */
  titleCount: number | null
  /** Up to so many are few. */
  fewMax: number
}

/** What the videos of a search are read from: those of its rarest term, those with its part of a title, or all of the account. */
type Source = 'term' | 'title' | 'all'

/** Counts what a search seeks; null if no video can match. */
export async function readSought(
  em: EntityManager,
  query: VideoQuery,
  fewMax = FEW_MAX,
): Promise<Sought | null> {
  const terms = await readTerms(em, query, fewMax + 1)
  if (terms?.rarest.count === 0) return null
  const titleCount = hasIndexedPart(query) ? await countTitles(em, query, fewMax + 1) : null
  return titleCount === 0 ? null : { query, terms, titleCount, fewMax }
}

const hasIndexedPart = ({ titlePart = '' }: VideoQuery): boolean =>
  titlePart.length >= INDEXED_TITLE_PART_LENGTH

async function countTitles(
  em: EntityManager,
  query: VideoQuery,
  countMax: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from video v where v.account_id = ${query.accountId} and v.deleted_at is null
      and ${all(titleConditions(query))} limit ${countMax}) counted`.execute(queries(em))
  return exactlyOne(rows).count
}

/** What a search is read from, unless the index of a term has its order. */
export function sourceOf({ query, terms, titleCount, fewMax }: Sought): Source {
  if (query.externalId !== undefined) return 'all'
  const termCount = terms?.rarest.count ?? Infinity
  if (termCount <= fewMax && termCount <= (titleCount ?? Infinity)) return 'term'
  // A short part is sought in few videos.
  const hasFewTitles = titleCount === null ? query.titlePart !== undefined : titleCount <= fewMax
  return hasFewTitles ? 'title' : 'all'
}

/** The tables of a select of the videos `v` that match, with their conditions. */
export function matching(sought: Sought, source = sourceOf(sought)): RawBuilder<unknown> {
  const { query, terms } = sought
  const { accountId } = query
  if (source === 'term' && terms)
    return sql`video_term t join video v on v.id = t.video_id
      where t.account_id = ${accountId} and t.term = ${terms.rarest.term}::bigint
        and ${all(rowConditions(query, 'others'))} and ${all(hasTerms(query, terms.others, 't.created_at', 't.video_id'))}`
  const sourceTerms = terms && !terms.isScopeAlone ? [terms.rarest, ...terms.others] : []
  const others = all(hasTerms(query, sourceTerms, 'v.created_at', 'v.id'))
  if (source === 'title')
    return sql`(select v.id from video v where v.account_id = ${accountId} and v.deleted_at is null
        and ${all(titleConditions(query))} offset 0) titled join video v on v.id = titled.id
      where ${all(rowConditions({ ...query, titlePart: undefined }, 'all'))} and ${others}`
  return sql`video v where v.account_id = ${accountId} and v.deleted_at is null
    and ${all(rowConditions(query, 'all'))} and ${others}`
}

/** The conditions on the row of a video: all of them, or those that no term says. */
export function rowConditions(query: VideoQuery, which: 'all' | 'others'): RawBuilder<unknown>[] {
  const { externalId, status, folderId, createdAt, updatedAt, durationMs } = query
  const isWhole = which === 'all'
  const isInBoth = status !== undefined && folderId !== undefined
  const folder = folderId === null ? sql`v.folder_id is null` : sql`v.folder_id = ${folderId}`
  return [
    ...(externalId === undefined ? [] : [sql`v.external_id = ${externalId}`]),
    ...(status !== undefined && (isWhole || isInBoth) ? [sql`v.status = ${status}`] : []),
    ...(folderId !== undefined && isWhole ? [folder] : []),
    ...titleConditions(query),
    ...rangeOf(sql`v.created_at`, createdAt),
    ...rangeOf(sql`v.created_at`, createdBefore(updatedAt)),
    ...rangeOf(sql`v.updated_at`, updatedAt),
    // A duration that is sought may be longer than any that the column can have.
    ...rangeOf(sql`v.duration_ms`, durationMs, sql`::bigint`),
  ]
}

/** By how much clocks of processes and of PostgreSQL may differ, and much more. */
const CLOCKS_MS = 86_400_000

/**
 * When videos were created at the latest that were changed in a time: before its end. So a list from the newest begins there, and does not pass all
 * newer videos.
 */
function createdBefore({ lt, lte }: Range<Date> = {}): Range<Date> {
  const end = lt ?? lte
  return end === undefined ? {} : { lt: new Date(end.getTime() + CLOCKS_MS) }
}

/** Conditions on the title of the video `v`. */
function titleConditions(query: VideoQuery): RawBuilder<unknown>[] {
  const { accountId, titlePart } = query
  if (titlePart === undefined) return []
  const has = sql`v.search_title like lower(${`%${withoutWildcards(titlePart)}%`})`
  return hasIndexedPart(query) ? [has] : [has, isRecent(accountId)]
}

const withoutWildcards = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** Without an index for the part, every title would be read: 45 ms of the processor with 100,000 videos (measured). */
const isRecent = (accountId: number) =>
  sql`v.created_at >= coalesce((select n.created_at from video n where n.account_id = ${accountId}
    and n.deleted_at is null order by n.created_at desc, n.id desc
    offset ${SHORT_SEARCH_VIDEOS_MAX - 1} limit 1), '-infinity')`

const OPERATORS = { gte: sql`>=`, gt: sql`>`, lte: sql`<=`, lt: sql`<` }
const BOUNDS = ['gte', 'gt', 'lte', 'lt'] as const

/** The conditions of a range of a value; `cast` is that of its bounds. */
export const rangeOf = <T>(
  value: RawBuilder<unknown>,
  range: Range<T> = {},
  cast = sql``,
): RawBuilder<unknown>[] =>
  BOUNDS.filter((bound) => range[bound] !== undefined).map(
    (bound) => sql`${value} ${OPERATORS[bound]} ${range[bound]}${cast}`,
  )

/** How many of the ranges of a search exclude something. */
export const countRanges = ({ createdAt, updatedAt, durationMs }: VideoQuery): number =>
  [createdAt, updatedAt, durationMs].filter((range = {}) =>
    BOUNDS.some((bound) => range[bound] !== undefined),
  ).length

/**
 * Conditions that a video has all terms; its time of creation and its id have these names. `offset 0` keeps the planner from a join, for which
 * it would read and sort all videos of a term whose number it has guessed: each is looked up (ADR 0072).
 */
export const hasTerms = (
  { accountId }: VideoQuery,
  terms: readonly SoughtTerm[],
  createdAt: string,
  id: string,
): RawBuilder<unknown>[] =>
  terms.map(
    ({
      term,
    }) => sql`exists (select from video_term o where o.account_id = ${accountId} and o.term = ${term}::bigint
      and o.created_at = ${sql.ref(createdAt)} and o.video_id = ${sql.ref(id)} offset 0)`,
  )

/** Conditions of which all must apply. */
export const all = (conditions: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
