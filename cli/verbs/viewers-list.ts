import { listRevokedViewers } from '../../db/revoked-viewers.ts'
import { accountFilter, limitOption } from '../arguments.ts'
import { humaneTime, table } from '../output.ts'
import type { RegisterVerb } from '../verb.ts'
import { revokedViewerView } from '../../views/revoked-viewer.ts'

/** `viewers list`: who is revoked, the newest first. */
export const viewersList: RegisterVerb = (noun, run) => {
  noun
    .command('list')
    .description('list revoked viewers')
    .addOption(accountFilter())
    .addOption(limitOption())
    .action(
      run<{ account?: number; limit: number }>(async (context, { account, limit }) => {
        const em = await context.entityManager()
        const records = (await listRevokedViewers(em, account, limit)).map(revokedViewerView)
        const rows = records.map((viewer) => [
          ...[String(viewer.account_id), viewer.viewer_id, humaneTime(viewer.revoked_at)],
        ])
        const headings = ['ACCOUNT', 'VIEWER', 'REVOKED']
        context.out.print(records, table(headings, rows, 'No viewer is revoked.'))
      }),
    )
}
