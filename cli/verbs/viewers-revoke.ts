import { revokeViewer } from '../../commands/viewers/revoke-viewer.ts'
import { accountOption, parseViewerId } from '../arguments.ts'
import { requireAccount } from '../records.ts'
import type { RegisterVerb } from '../verb.ts'
import { revokedViewerView } from '../../views/revoked-viewer.ts'

/** `viewers revoke VIEWER`: their tokens play nothing any more; to repeat it changes nothing. */
export const viewersRevoke: RegisterVerb = (noun, run) => {
  noun
    .command('revoke')
    .description('refuse all tokens of a viewer; running playback ends within about a minute')
    .argument('<viewer id>', 'viewer id as in the viewer token', parseViewerId)
    .addOption(accountOption())
    .action(
      run<{ account: number }>(async (context, { account }, [viewerId = '']) => {
        const em = await context.entityManager()
        await requireAccount(em, account)
        const revoked = await revokeViewer(em, account, viewerId)
        context.out.print(revokedViewerView(revoked), `Viewer ${viewerId} is revoked.`)
      }),
    )
}
