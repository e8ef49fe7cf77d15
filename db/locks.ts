import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from './database.ts'
import { Account } from './entities/account.ts'
import { queries } from './kysely.ts'

/**
 * Locks the account's row until the end of the transaction, so that simultaneous requests cannot both take
 * the last place under a limit.
 */
export async function lockAccount(em: EntityManager, accountId: number): Promise<void> {
  await queries(em)
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .execute()
}

/** Reads the account's current row and locks it until the end of the transaction; null if there is none. */
export const findAndLockAccount = (em: EntityManager, id: number): Promise<Account | null> =>
  em.findOne(Account, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })

/** Makes other requests that change the account's storage wait until this transaction has ended. */
export async function lockStorage(em: EntityManager, accountId: number): Promise<void> {
  await queries(em)
    .selectFrom('plan')
    .select('accountId')
    .where('accountId', '=', accountId)
    .forUpdate()
    .execute()
}
