import { sql } from 'kysely'
import type { DeliveryErrorCode } from '../../domain/webhooks/delivery-failures.ts'
import type { EntityManager } from '../database.ts'
import type { RecordStore } from '../entities/record-store.ts'
import { queries } from '../queries.ts'

/** What an owner says of a record store. */
export type StoreFacts = Pick<
  RecordStore,
  'accountId' | 'url' | 'username' | 'sealedPassword' | 'homePage' | 'isActive'
>

/** Writes the record store of an account, in place of what it was. What has failed is tried again at once. */
export async function writeRecordStore(
  em: EntityManager,
  { accountId, ...facts }: StoreFacts,
): Promise<RecordStore> {
  const settings = { ...facts, ...DUE, updatedAt: sql<Date>`now()` }
  return queries(em)
    .insertInto('record_store')
    .values({ accountId, ...facts })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(settings))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** As if nothing had failed. */
const DUE = {
  failureCount: 0,
  refusedInRow: 0,
  nextAttemptAt: null,
  lastErrorAt: null,
  lastErrorCode: null,
  lastErrorMessage: null,
  lastErrorStatus: null,
  lastResponse: null,
}

/** Lets statements be sent at once, as if nothing had failed. */
export async function makeStoreDue(em: EntityManager, accountId: number): Promise<void> {
  await queries(em)
    .updateTable('record_store')
    .set(DUE)
    .where('accountId', '=', accountId)
    .execute()
}

/** Deletes the record store of an account with its password; false if there is none. */
export async function deleteRecordStore(em: EntityManager, accountId: number): Promise<boolean> {
  const deleted = await queries(em)
    .deleteFrom('record_store')
    .where('accountId', '=', accountId)
    .returning('accountId')
    .executeTakeFirst()
  return deleted !== undefined
}

/** Counts statements that a record store has taken. A failure before that is over. */
export async function countDelivered(
  em: EntityManager,
  accountId: number,
  count: number,
): Promise<void> {
  await sql`
    update record_store set delivered_count = delivered_count + ${count}, last_success_at = now(), failure_count = 0,
      refused_in_row = 0, next_attempt_at = null, ${isOver('last_error_at')}, ${isOver('last_error_code')}, ${isOver('last_error_message')},
      ${isOver('last_error_status')}, ${isOver('last_response')}
    where account_id = ${accountId}`.execute(queries(em))
}

/** The error of a refused statement stays, because that is not sent again. */
const isOver = (column: string) =>
  sql.raw(`${column} = case when failure_count = 0 then ${column} end`)

/** A failure as it is shown. */
export interface StoreError {
  code: DeliveryErrorCode | null
  message: string | null
  status: number | null
  response: string | null
}

/** Records a failed request after which all statements wait; does nothing if `failureCount` is not that of before any more. */
export async function recordStoreFailure(
  em: EntityManager,
  accountId: number,
  { failureCount, waitMs, ...error }: StoreError & { failureCount: number; waitMs: number },
): Promise<void> {
  await sql`
    update record_store set failure_count = failure_count + 1, ${errorColumns(error)},
      next_attempt_at = now() + ${waitMs}::float8 * interval '1 ms'
    where account_id = ${accountId} and failure_count = ${failureCount}`.execute(queries(em))
}

/** Counts a statement that the record store has refused. */
export async function countRefused(
  em: EntityManager,
  accountId: number,
  error: StoreError,
): Promise<void> {
  await sql`
    update record_store set refused_count = refused_count + 1, refused_in_row = refused_in_row + 1, failure_count = 0, next_attempt_at = null,
      ${errorColumns(error)} where account_id = ${accountId}`.execute(queries(em))
}

const errorColumns = ({ code, message, status, response }: StoreError) => sql`
  last_error_at = now(), last_error_code = ${code}, last_error_message = ${message}, last_error_status = ${status},
  last_response = ${response}`
