import { findDeletedAccount } from '../../db/accounts/account-deletion.ts'
import { findAccount } from '../../db/accounts/accounts.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { parseAccountId } from '../arguments.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { noAccount } from '../errors.ts'
import { exportAccount } from '../export-account.ts'
import { storageConfig } from '../storage-config.ts'

interface Options {
  objects?: boolean
}

/** `accounts export ID DIR`: writes the data of an account to a new folder. */
export async function writeExport(
  context: Context,
  { objects = false }: Options,
  [idText = '', dir = '']: string[],
): Promise<void> {
  const em = await context.entityManager()
  const accountId = parseAccountId(idText)
  const account = (await findAccount(em, accountId)) ?? (await findDeletedAccount(em, accountId))
  if (!account) throw noAccount(accountId)
  const storage = objects ? createStorage(storageConfig(context)) : null
  await audited(
    em,
    async () => undefined,
    () => ({ accountId, action: 'account.export', subject: String(accountId), fields: [] }),
  )
  const record = await exportAccount(em, { accountId, dir, storage })
  const rows = Object.values(record.rows).reduce((sum, count) => sum + count, 0)
  context.out.print(
    record,
    `Wrote ${rows} rows of account ${accountId} (${account.name}) to ${dir}.`,
  )
}
