import { sql } from 'kysely'
import {
  COUNTED_MATCHES_MAX,
  INDEXED_TITLE_PART_LENGTH,
  SHORT_SEARCH_VIDEOS_MAX,
} from '../../domain/limits.ts'
import { VIDEO_STATUSES, type VideoStatus } from '../../domain/videos/video-state.ts'
import { readSums } from '../accounts/account-sums.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** Which videos of an account a list shows. Absent parts admit every video. */
export interface VideoFilter {
  accountId: number
  status?: VideoStatus | undefined
  /** Null: those without a folder. */
  folderId?: number | null | undefined
  /** Part of the title, in any case. A short one is sought in the newest videos only (`domain/limits.ts`). */
  titlePart?: string | undefined
}

/** A query of the videos that match a filter, without those that are deleted; it selects nothing yet. */
export function videosThatMatch(
  em: EntityManager,
  { accountId, status, folderId, titlePart }: VideoFilter,
) {
  let query = queries(em)
    .selectFrom('video')
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
  if (status !== undefined) query = query.where('status', '=', status)
  if (folderId === null) query = query.where('folderId', 'is', null)
  else if (folderId !== undefined) query = query.where('folderId', '=', folderId)
  if (titlePart !== undefined) {
    const pattern = `%${withoutWildcards(titlePart)}%`
    query = query.where(sql<boolean>`search_title like lower(${pattern})`)
    if (titlePart.length < INDEXED_TITLE_PART_LENGTH) query = query.where(isRecent(accountId))
  }
  return query
}

/** Without an index for the part, every title would be read: 45 ms of the processor with 100,000 videos (measured). */
const isRecent = (accountId: number) =>
  sql<boolean>`created_at >= coalesce((select n.created_at from video n where n.account_id = ${accountId}
    and n.deleted_at is null order by n.created_at desc, n.id desc
    offset ${SHORT_SEARCH_VIDEOS_MAX - 1} limit 1), '-infinity')`

/** How many videos match. Null if there are more than `COUNTED_MATCHES_MAX` with a part of a title. */
export interface MatchCounts {
  total: number | null
  /** By status, but for the filter `status`; a status without videos is absent. */
  byStatus: Map<VideoStatus, number> | null
}

/** Counts the videos that match; those with a part of a title only up to a limit, because their rows are read. */
export async function countMatches(em: EntityManager, filter: VideoFilter): Promise<MatchCounts> {
  const { status, titlePart } = filter
  const all = { ...filter, status: undefined }
  if (titlePart === undefined) return countsOf(await countAll(em, all), status)
  const counted = await countFirst(em, all)
  if (counted !== null || status === undefined) return countsOf(counted, status)
  return { ...countsOf(await countFirst(em, filter), status), byStatus: null }
}

const countsOf = (
  byStatus: Map<VideoStatus, number> | null,
  status: VideoStatus | undefined,
): MatchCounts => ({ byStatus, total: byStatus && sumOf(byStatus, status) })

const sumOf = (byStatus: Map<VideoStatus, number>, status: VideoStatus | undefined): number =>
  [...byStatus].reduce(
    (sum, [each, count]) => (status === undefined || each === status ? sum + count : sum),
    0,
  )

/**
 * The videos of an account are counted already. For those of a folder, a count for each status reads an index alone, and groups
 * nothing: half of the time (measured).
 */
async function countAll(em: EntityManager, filter: VideoFilter): Promise<Map<VideoStatus, number>> {
  const { accountId, folderId } = filter
  if (folderId === undefined) return present((await readSums(em, accountId)).counts)
  const { rows } = await sql<{ status: VideoStatus; count: number }>`
    select s.status, (${videosThatMatch(em, filter)
      .select(sql<number>`count(*)::int`.as('count'))
      .where('status', '=', sql<VideoStatus>`s.status`)}) as count
    from unnest(${[...VIDEO_STATUSES]}::text[]) as s (status)`.execute(queries(em))
  return present(new Map(rows.map(({ status, count }) => [status, count])))
}

const present = (counts: Map<VideoStatus, number>): Map<VideoStatus, number> =>
  new Map([...counts].filter(([, count]) => count > 0))

/** The counts by status; null if more match than are counted. */
async function countFirst(
  em: EntityManager,
  filter: VideoFilter,
): Promise<Map<VideoStatus, number> | null> {
  const some = videosThatMatch(em, filter)
    .select('status')
    .limit(COUNTED_MATCHES_MAX + 1)
  const rows = await queries(em)
    .selectFrom(some.as('some'))
    .select(['status', sql<number>`count(*)::int`.as('count')])
    .groupBy('status')
    .execute()
  const byStatus = new Map(rows.map(({ status, count }) => [status, count]))
  return sumOf(byStatus, undefined) > COUNTED_MATCHES_MAX ? null : byStatus
}

/** Locks up to `limit` of the videos that match, until the end of the transaction; returns their ids. */
export async function lockVideosThatMatch(
  em: EntityManager,
  filter: VideoFilter,
  limit: number,
): Promise<string[]> {
  const rows = await videosThatMatch(em, filter)
    .select('id')
    // Two deletions lock in one order, so that they do not wait for each other.
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

const withoutWildcards = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
