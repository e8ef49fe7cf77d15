import { restoreViewer, revokeViewer } from '../../commands/viewers/revoke-viewer.ts'
import { listRevokedViewers } from '../../db/accounts/accounts.ts'
import { revokedViewerView } from '../../views/accounts/account.ts'
import { accountFilter, accountOption, limitOption, parseViewerId } from '../arguments.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { humaneTime, table } from '../output.ts'
import { requireAccount } from '../requirements.ts'
import type { RegisterVerbs } from '../verb.ts'
import { erase, exportViewer } from './viewers-erase.ts'

/** The verbs of `viewers`. */
export const viewers: RegisterVerbs = (program, run) => {
  const noun = program
    .command('viewers')
    .description('revoke viewers and restore them, erase and export them')
  noun
    .command('revoke')
    .description('refuse all tokens of a viewer; running playback ends within about a minute')
    .argument('<viewer id>', 'viewer id as in the viewer token', parseViewerId)
    .addOption(accountOption())
    .action(run(revoke))
  noun
    .command('restore')
    .description('let a revoked viewer play again')
    .argument('<viewer id>', 'id from viewers list', parseViewerId)
    .addOption(accountOption())
    .action(run(restore))
  noun
    .command('erase')
    .description('erase all that is kept of a viewer, but not a revocation')
    .argument('<viewer id>', 'viewer id as in the viewer token', parseViewerId)
    .addOption(accountOption())
    .action(run(erase))
  noun
    .command('export')
    .description('print all that is kept of a viewer')
    .argument('<viewer id>', 'viewer id as in the viewer token', parseViewerId)
    .addOption(accountOption())
    .action(run(exportViewer))
  noun
    .command('list')
    .description('list revoked viewers')
    .addOption(accountFilter())
    .addOption(limitOption())
    .action(run(list))
}

interface Options {
  account: number
}

async function revoke(
  context: Context,
  { account }: Options,
  [viewerId = '']: string[],
): Promise<void> {
  const em = await context.entityManager()
  await requireAccount(em, account)
  const revoked = await audited(
    em,
    (tx) => revokeViewer(tx, account, viewerId),
    () => ({ accountId: account, action: 'viewer.revoke', subject: viewerId, fields: [] }),
  )
  context.out.print(revokedViewerView(revoked), `Viewer ${viewerId} is revoked.`)
}

async function restore(
  context: Context,
  { account }: Options,
  [viewerId = '']: string[],
): Promise<void> {
  const isRestored = await audited(
    await context.entityManager(),
    (tx) => restoreViewer(tx, account, viewerId),
    (isKnown) =>
      isKnown
        ? { accountId: account, action: 'viewer.restore', subject: viewerId, fields: [] }
        : null,
  )
  if (!isRestored)
    throw new CliError(`Account ${account} has no revoked viewer ${viewerId}.`, {
      code: 'revoked_viewer_not_found',
    })
  const record = { object: 'viewer', account_id: account, viewer_id: viewerId }
  context.out.print(record, `Viewer ${viewerId} may play again.`)
}

interface ListOptions {
  account?: number
  limit: number
}

async function list(context: Context, { account, limit }: ListOptions): Promise<void> {
  const em = await context.entityManager()
  const records = (await listRevokedViewers(em, { accountId: account, limit })).map(
    revokedViewerView,
  )
  const cells = records.map((viewer) => [
    String(viewer.account_id),
    viewer.viewer_id,
    humaneTime(viewer.revoked_at),
  ])
  const headings = ['ACCOUNT', 'VIEWER', 'REVOKED']
  context.out.print(records, table(headings, cells, 'No revoked viewers.'))
}
