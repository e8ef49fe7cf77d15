import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/** A caption whose passages are older than itself. */
export interface ChangedCaption {
  accountId: number
  videoId: string
  languageCode: string
  /** The changes that were known before the caption is read. */
  changeIds: string[]
}

/** Lists the accounts with captions that have changed. Each costs one look into an index, however many changes it has. */
export async function listAccountsWithChanges(em: EntityManager): Promise<number[]> {
  const { rows } = await sql<{ accountId: number }>`
    with recursive found (account_id) as (
      (select account_id from caption_change order by account_id limit 1)
      union all select (select c.account_id from caption_change c where c.account_id > f.account_id order by c.account_id limit 1)
      from found f where f.account_id is not null)
    select account_id from found where account_id is not null`.execute(queries(em))
  return rows.map(({ accountId }) => accountId)
}

/** Lists the captions of the oldest `limit` changes of an account, oldest first, without those of some changes. */
export async function listChangedCaptions(
  em: EntityManager,
  accountId: number,
  leftOut: readonly string[],
  limit: number,
): Promise<ChangedCaption[]> {
  const { rows } = await sql<ChangedCaption>`
    select account_id, video_id, language_code, array_agg(id::text order by id) as change_ids
    from (select * from caption_change where account_id = ${accountId} and id <> all(${leftOut}::bigint[]) order by id limit ${limit}) c
    group by account_id, video_id, language_code order by max(id)`.execute(queries(em))
  return rows
}

/** Returns whether a caption exists, and keeps it from being deleted until the end of the transaction. */
export async function holdCaption(
  em: EntityManager,
  { videoId, languageCode }: Pick<ChangedCaption, 'videoId' | 'languageCode'>,
): Promise<boolean> {
  const row = await queries(em)
    .selectFrom('caption')
    .select('videoId')
    .where('videoId', '=', videoId)
    .where('languageCode', '=', languageCode)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}
