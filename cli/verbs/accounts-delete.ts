import {
  deleteAccount as beginDeletion,
  requestAccountRemoval,
} from '../../commands/accounts/delete-account.ts'
import { countUnremovedVideos, findDeletedAccount } from '../../db/accounts/account-deletion.ts'
import { findAccount, findActivePlan } from '../../db/accounts/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import { parseAccountId } from '../arguments.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { CliError, noAccount, UsageError } from '../errors.ts'

interface Options {
  confirm: string
}

/**
 * `accounts delete ID --confirm NAME`: begins the deletion of an account, or shows how far one is that has begun, and
 * requests its workflow again.
 */
export async function deleteAccount(
  context: Context,
  { confirm }: Options,
  [idText = '']: string[],
): Promise<void> {
  const em = await context.entityManager()
  const id = parseAccountId(idText)
  const begun = await findDeletedAccount(em, id)
  const account = begun ?? (await findAccount(em, id))
  if (!account) throw noAccount(id)
  if (confirm !== account.name)
    throw new UsageError(`The account ${id} has another name: repeat its name with --confirm.`, {
      param: '--confirm',
    })
  if (begun) await em.transactional((tx) => requestAccountRemoval(tx, id))
  else await begin(em, id, account.name)
  const waiting = await countUnremovedVideos(em, id)
  context.out.print(
    { id, object: 'account', deleted: true, videos_to_remove: waiting },
    `Account ${id} is deleted. The workflow delete-account-${id} removes its rows when the objects of its ` +
      `${waiting} videos are removed.`,
  )
}

async function begin(em: EntityManager, id: number, name: string): Promise<void> {
  await audited(
    em,
    async (tx) => {
      if (await findActivePlan(tx, id, new Date()))
        throw new CliError(
          `The plan of account ${id} is in force. End its subscription, then: reelgate plan set --account ${id} --active false`,
          { code: 'account_in_force' },
        )
      return beginDeletion(tx, id)
    },
    // Without an account, because the audit log of this one is deleted too.
    (videos) => ({
      accountId: null,
      action: 'account.delete',
      subject: String(id),
      before: { name, videos },
      fields: ['name', 'videos'],
    }),
  )
}
