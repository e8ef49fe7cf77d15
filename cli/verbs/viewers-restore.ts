import { restoreViewer } from '../../commands/viewers/revoke-viewer.ts'
import { accountOption, parseViewerId } from '../arguments.ts'
import { CliError } from '../errors.ts'
import type { RegisterVerb } from '../verb.ts'

/** `viewers restore VIEWER`: their tokens play again. */
export const viewersRestore: RegisterVerb = (noun, run) => {
  noun
    .command('restore')
    .description('let a revoked viewer play again')
    .argument('<viewer id>', 'id from viewers list', parseViewerId)
    .addOption(accountOption())
    .action(
      run<{ account: number }>(async (context, { account }, [viewerId = '']) => {
        const em = await context.entityManager()
        if (!(await restoreViewer(em, account, viewerId)))
          throw new CliError(`Account ${account} has no revoked viewer ${viewerId}.`, {
            code: 'revoked_viewer_not_found',
          })
        const record = { object: 'viewer', account_id: account, viewer_id: viewerId }
        context.out.print(record, `Viewer ${viewerId} may play again.`)
      }),
    )
}
