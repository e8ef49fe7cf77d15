import type { EntityManager } from '../../db/database.ts'
import type { StoreToSend } from '../../db/xapi/record-stores.ts'
import {
  countDelivered,
  countRefused,
  recordStoreFailure,
  type StoreError,
} from '../../db/xapi/write-record-stores.ts'
import {
  deleteAbandonedStatements,
  deleteStatements,
  refuseStatement,
} from '../../db/xapi/write-statements.ts'
import { waitAfterFailureMs, type StoreResponse } from '../../domain/xapi/record-store.ts'

/** Records that the record store of an account has these statements, in one transaction. Counts none twice; returns how many it counted. */
export const settleDelivered = (
  em: EntityManager,
  accountId: number,
  ids: readonly string[],
): Promise<number> =>
  em.transactional(async (tx) => {
    const count = await deleteStatements(tx, ids)
    await countDelivered(tx, accountId, count)
    return count
  })

/** Records that the record store of an account refuses a statement, which is then not sent again. False if it was recorded before. */
export const settleRefused = (
  em: EntityManager,
  accountId: number,
  id: string,
  error: StoreError,
): Promise<boolean> =>
  em.transactional(async (tx) => {
    const isNew = await refuseStatement(tx, id)
    if (isNew) await countRefused(tx, accountId, error)
    return isNew
  })

/** Records a failed request, and when the next one may follow. */
export const settleFailure = (
  em: EntityManager,
  accountId: number,
  { failureCount }: Pick<StoreToSend, 'failureCount'>,
  { error, response }: { error: StoreError; response: StoreResponse },
): Promise<void> => {
  const waitMs = waitAfterFailureMs(failureCount + 1, response)
  return recordStoreFailure(em, accountId, { ...error, failureCount, waitMs })
}

/** Deletes statements for a record store that was removed; returns how many, up to `limit`. */
export const removeAbandoned = (
  em: EntityManager,
  accountId: number,
  limit: number,
): Promise<number> => deleteAbandonedStatements(em, accountId, limit)
