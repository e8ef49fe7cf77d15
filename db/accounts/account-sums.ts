import { sql, type RawBuilder } from 'kysely'
import { VIDEO_STATUSES, type VideoStatus } from '../../domain/videos/video-state.ts'
import type { EntityManager } from '../database.ts'
import { exactlyOne, queries } from '../queries.ts'

/** The columns of both tables of sums, in one order (ADR 0061). */
export const SUM_COLUMNS = [
  'used_bytes',
  'reserved_bytes',
  'caption_bytes',
  ...VIDEO_STATUSES.map((status) => `${status}_count`),
]

/** Writes a list of expressions, one for each sum. */
export const eachSum = (expression: (column: string) => string): RawBuilder<unknown> =>
  sql.raw(SUM_COLUMNS.map(expression).join(', '))

/** The sums of row `o` by its videos, captions and uploads: what the kept ones have to be. It reads all of them. */
export const COUNTED_SUMS = sql.raw(`
  select coalesce(sum(v.size_bytes), 0) as used_bytes,
    coalesce(sum(v.reserved_bytes), 0) + (select coalesce(sum(u.reserved_bytes), 0) from upload u
      where u.account_id = o.account_id) as reserved_bytes,
    (select coalesce(sum(c.size_bytes), 0) from caption c join video w on w.id = c.video_id
      where w.account_id = o.account_id) as caption_bytes,
    ${VIDEO_STATUSES.map((status) => `count(*) filter (where v.status = '${status}') as ${status}_count`).join(', ')}
  from video v where v.account_id = o.account_id and v.deleted_at is null`)

/** The deltas of row `o` that are not folded yet. */
export const OPEN_DELTAS = sql`
  select ${eachSum((column) => `coalesce(sum(d.${column}), 0) as ${column}`)}
  from account_sum_delta d where d.account_id = o.account_id`

/**
 * A query of the sums of an account, from one moment, under the names of `SUM_COLUMNS`: what is kept and its open deltas. An account that
 * is not counted yet is counted.
 */
const sumsOf = (accountId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${eachSum((name) => `(coalesce(o.${name}, 0) + coalesce(p.${name}, 0) + coalesce(t.${name}, 0))::bigint as ${name}`)}
  from (select a.account_id, s.account_id is not null as is_kept, ${eachSum((name) => `s.${name}`)}
      from (select ${accountId} as account_id) a left join account_sum s on s.account_id = a.account_id) o
    left join lateral (${OPEN_DELTAS} having o.is_kept) p on true
    left join lateral (${COUNTED_SUMS} having not o.is_kept) t on true`

/** The bytes that the account `accountId` stores and has reserved, as an expression; it is computed only where it is used. */
export const takenBytes = (accountId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select used_bytes + reserved_bytes + caption_bytes from (${sumsOf(accountId)}) u)`

/** What an account stores, and its videos by status, without those that are deleted. */
export interface AccountSums {
  /** Of videos. */
  usedBytes: number
  /** Of videos whose ingest runs. */
  reservedBytes: number
  captionBytes: number
  counts: Map<VideoStatus, number>
}

/** Reads the sums of an account, with what this transaction has changed. */
export async function readSums(em: EntityManager, accountId: number): Promise<AccountSums> {
  const { rows } = await sql<Record<string, number>>`${sumsOf(sql`${accountId}::int`)}`.execute(
    queries(em).withoutPlugins(),
  )
  const row = exactlyOne(rows)
  const valueOf = (column: string): number => row[column] ?? Number.NaN
  return {
    usedBytes: valueOf('used_bytes'),
    reservedBytes: valueOf('reserved_bytes'),
    captionBytes: valueOf('caption_bytes'),
    counts: new Map(VIDEO_STATUSES.map((status) => [status, valueOf(`${status}_count`)])),
  }
}

/** Up to `limit` accounts whose sums are kept, with ids above `after`, in order. */
export const listKeptAccounts = async (
  em: EntityManager,
  after: number,
  limit: number,
): Promise<number[]> => {
  const rows = await queries(em)
    .selectFrom('account_sum')
    .select('accountId')
    .where('accountId', '>', after)
    .orderBy('accountId')
    .limit(limit)
    .execute()
  return rows.map(({ accountId }) => accountId)
}

/** The same for accounts from before the sums, which are not counted yet. */
export const listUncountedAccounts = async (
  em: EntityManager,
  after: number,
  limit: number,
): Promise<number[]> => {
  const rows = await queries(em)
    .selectFrom('account as a')
    .select('a.id')
    .where('a.id', '>', after)
    .where('a.deletedAt', 'is', null)
    .where(sql<boolean>`not exists (select from account_sum s where s.account_id = a.id)`)
    .orderBy('a.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
