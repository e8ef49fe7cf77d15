import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { RecordStore } from '../entities/record-store.ts'
import { queries } from '../queries.ts'

/** The record store of the account; null if it has none. */
export const findRecordStore = (
  em: EntityManager,
  accountId: number,
): Promise<RecordStore | null> => em.findOne(RecordStore, { accountId })

/** What a request to a record store needs. */
export interface StoreToSend {
  url: string
  username: string
  sealedPassword: string
  homePage: string
  /** Failed requests in a row. */
  failureCount: number
  /** Refused statements since the last one that was delivered. */
  refusedInRow: number
}

/** The record store of an account to which something may be sent now; null if there is none. */
export async function findStoreToSend(
  em: EntityManager,
  accountId: number,
): Promise<StoreToSend | null> {
  const store = await queries(em)
    .selectFrom('record_store as r')
    .innerJoin('account as a', 'a.id', 'r.accountId')
    .select(['r.url', 'r.username', 'r.sealedPassword', 'r.homePage'])
    .select(['r.failureCount', 'r.refusedInRow'])
    .where('r.accountId', '=', accountId)
    .where('r.isActive', '=', true)
    .where('a.deletedAt', 'is', null)
    .where(sql<boolean>`coalesce(r.next_attempt_at <= now(), true)`)
    .executeTakeFirst()
  return store ?? null
}

/** The accounts whose record store is to be sent statements now. */
export async function listDueStores(em: EntityManager): Promise<number[]> {
  const { rows } = await sql<{ accountId: number }>`
    select r.account_id as "accountId" from record_store r
    join account a on a.id = r.account_id and a.deleted_at is null
    where r.is_active and coalesce(r.next_attempt_at <= now(), true)
      and exists (select from xapi_statement x where x.account_id = r.account_id and x.refused_at is null)
      and not exists (select from outbox o
        where o.command = 'deliver-statements' and o.account_id = r.account_id)
    order by 1`.execute(queries(em).withoutPlugins())
  return rows.map(({ accountId }) => accountId)
}
