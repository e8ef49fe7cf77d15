import { sql } from 'kysely'
import { COUNTED_MATCHES_MAX } from '../../domain/limits.ts'
import { VIDEO_STATUSES, type VideoStatus } from '../../domain/videos/video-state.ts'
import { readSums } from '../accounts/account-sums.ts'
import type { EntityManager } from '../database.ts'
import { isStatementTimeout } from '../errors.ts'
import { queries } from '../queries.ts'
import {
  all,
  countRanges,
  matching,
  readSought,
  rowConditions,
  sourceOf,
  type Sought,
} from './matching-videos.ts'
import type { VideoQuery } from './video-query.ts'

/** How many videos match. Null if they are more than `COUNTED_MATCHES_MAX`, or cannot be counted in little time. */
export interface MatchCounts {
  total: number | null
  /** By status, but for the filter `status`; a status without videos is absent. */
  byStatus: Map<VideoStatus, number> | null
}

type Counts = Map<VideoStatus, number>

/** Counts the videos that match: all of an account or a folder, and of a search up to a limit, because their rows are read. */
export async function countMatches(em: EntityManager, query: VideoQuery): Promise<MatchCounts> {
  const { status } = query
  const counted = await countByStatus(em, { ...query, status: undefined })
  if (counted !== null || status === undefined) return countsOf(counted, status)
  return { ...countsOf(await countByStatus(em, query), status), byStatus: null }
}

const countsOf = (byStatus: Counts | null, status: VideoStatus | undefined): MatchCounts => ({
  byStatus,
  total: byStatus && sumOf(byStatus, status),
})

const sumOf = (byStatus: Counts, status: VideoStatus | undefined): number =>
  [...byStatus].reduce(
    (sum, [each, count]) => (status === undefined || each === status ? sum + count : sum),
    0,
  )

async function countByStatus(em: EntityManager, query: VideoQuery): Promise<Counts | null> {
  const sought = await readSought(em, query)
  if (!sought) return new Map()
  const seeks = seeksMore(sought)
  if (!seeks && query.status === undefined) return countAll(em, query)
  return seeks && isCountable(sought) ? countFirst(em, sought) : null
}

/** Whether a search has more than a folder and a status. */
function seeksMore({ query, terms, titleCount }: Sought): boolean {
  const hasTitle = titleCount !== null || query.titlePart !== undefined
  const hasTerms = terms !== null && !terms.isScopeAlone
  return hasTitle || hasTerms || query.externalId !== undefined || countRanges(query) > 0
}

/** Whether few rows are read: those of a rare condition, or the first ones in the index of a range. */
const isCountable = (sought: Sought): boolean =>
  sourceOf(sought) !== 'all' ||
  sought.query.externalId !== undefined ||
  (sought.titleCount === null &&
    sought.terms?.isScopeAlone !== false &&
    countRanges(sought.query) === 1)

/**
 * The videos of an account are counted already. For those of a folder, a count for each status reads an index alone, and groups
 * nothing: half of the time (measured).
 */
async function countAll(em: EntityManager, query: VideoQuery): Promise<Counts> {
  const { accountId, folderId } = query
  if (folderId === undefined) return present((await readSums(em, accountId)).counts)
  const { rows } = await sql<{ status: VideoStatus; count: number }>`
    select s.status, (select count(*)::int from video v where v.account_id = ${accountId} and v.deleted_at is null
      and ${all(rowConditions(query, 'all'))} and v.status = s.status) as count
    from unnest(${[...VIDEO_STATUSES]}::text[]) as s (status)`.execute(queries(em))
  return present(new Map(rows.map(({ status, count }) => [status, count])))
}

const present = (counts: Counts): Counts => new Map([...counts].filter(([, count]) => count > 0))

/** The counts by status; null if more match than are counted, or if the count takes too long. */
async function countFirst(em: EntityManager, sought: Sought): Promise<Counts | null> {
  try {
    const { rows } = await sql<{ status: VideoStatus; count: number }>`
      select status, count(*)::int as count
      from (select v.status from ${matching(sought)} limit ${COUNTED_MATCHES_MAX + 1}) counted
      group by status`.execute(queries(em))
    const byStatus = new Map(rows.map(({ status, count }) => [status, count]))
    return sumOf(byStatus, undefined) > COUNTED_MATCHES_MAX ? null : byStatus
  } catch (error) {
    if (isStatementTimeout(error)) return null
    throw error
  }
}

/** Locks up to `limit` of the videos that match, until the end of the transaction; returns their ids. */
export async function lockVideosThatMatch(
  em: EntityManager,
  query: VideoQuery,
  limit: number,
): Promise<string[]> {
  const sought = await readSought(em, query)
  if (!sought) return []
  // Two deletions lock in one order, so that they do not wait for each other. What the row says is checked again once it is locked.
  const { rows } = await sql<{ id: string }>`
    with found as materialized (select v.id from ${matching(sought)} limit ${limit})
    select v.id from video v where v.id in (select id from found) and v.deleted_at is null
      and ${all(rowConditions(query, 'all'))}
    order by v.id for no key update of v`.execute(queries(em))
  return rows.map(({ id }) => id)
}
