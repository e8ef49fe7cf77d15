import { lockAccount } from '../../db/accounts/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import type { RecordStore } from '../../db/entities/record-store.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'
import { findRecordStore, listDueStores } from '../../db/xapi/record-stores.ts'
import {
  deleteRecordStore,
  makeStoreDue,
  writeRecordStore,
} from '../../db/xapi/write-record-stores.ts'
import { seal, type MasterKeys } from '../../security/sealing/sealing.ts'
import { recordStoreContext } from '../../security/sealing/secret-contexts.ts'
import { Refusal } from '../refusal.ts'

/** What an owner says of the record store of an account. */
export interface StoreSettings {
  url: string
  username: string
  /** Absent to keep the present one, for the same address and user name only. */
  password?: string | undefined
  homePage: string
  isActive: boolean
}

/**
 * Sets the learning record store of an account, in place of what it was. What has failed is sent again at once. Call it in a transaction. Refuses with
 * `invalid_parameter` without a password that is for this address and user name: a stored one is never sent to another place.
 */
export async function setRecordStore(
  tx: EntityManager,
  masterKeys: MasterKeys,
  accountId: number,
  { password, ...settings }: StoreSettings,
): Promise<RecordStore> {
  await lockAccount(tx, accountId)
  const present = await findRecordStore(tx, accountId)
  const isSamePlace = present?.url === settings.url && present.username === settings.username
  const sealedPassword =
    password === undefined
      ? isSamePlace && present.sealedPassword
      : seal(masterKeys, password, recordStoreContext(accountId))
  if (sealedPassword === undefined || sealedPassword === false)
    throw new Refusal('invalid_parameter', {
      field: 'password',
      message: '`password` is required for another address or user name.',
    })
  const store = await writeRecordStore(tx, { accountId, ...settings, sealedPassword })
  await requestDelivery(tx, accountId)
  return store
}

/**
 * Removes the record store of an account with its password. The statements that wait are removed by the workflow that it requests. Call it in a
 * transaction. Refuses with `record_store_not_found`.
 */
export async function removeRecordStore(tx: EntityManager, accountId: number): Promise<void> {
  if (!(await deleteRecordStore(tx, accountId))) throw new Refusal('record_store_not_found')
  await requestDelivery(tx, accountId)
}

/** Sends what waits for a record store at once, because a test has reached it. Call it in a transaction. */
export async function resumeRecordStore(tx: EntityManager, accountId: number): Promise<void> {
  await makeStoreDue(tx, accountId)
  await requestDelivery(tx, accountId)
}

/** Requests the deliveries of all accounts whose statements are due. */
export async function requestDueDeliveries(em: EntityManager): Promise<void> {
  const accountIds = await listDueStores(em)
  if (accountIds.length === 0) return
  await em.transactional((tx) => requestWorkflows(tx, accountIds.map(deliveryOf)))
}

const requestDelivery = (tx: EntityManager, accountId: number): Promise<void> =>
  requestWorkflows(tx, [deliveryOf(accountId)])

const deliveryOf = (accountId: number) =>
  ({ command: 'deliver-statements', subjectId: String(accountId), accountId }) as const
