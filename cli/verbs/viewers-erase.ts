import { requestErasure } from '../../commands/viewers/erase-viewer.ts'
import { readRowsOfViewer } from '../../db/audience/viewer-export.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { viewerErasureView } from '../../views/audience/viewer-erasure.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { jsonText } from '../output.ts'
import { requireAccount } from '../requirements.ts'

interface Options {
  account: number
}

/** `viewers erase ID`: requests that everything of a viewer is erased. */
export async function erase(
  context: Context,
  { account }: Options,
  [viewerId = '']: string[],
): Promise<void> {
  const em = await context.entityManager()
  await requireAccount(em, account)
  const requested = await audited(
    em,
    (tx) => requestErasure(tx, account, viewerId),
    ({ erasedName }) => ({
      accountId: account,
      action: 'viewer.erase',
      subject: erasedName,
      fields: [],
    }),
  )
  context.out.print(
    viewerErasureView(requested),
    'The viewer is erased within minutes. Backups have the viewer until you delete them.',
  )
}

/** `viewers export ID`: prints what is kept of a viewer, by table. */
export async function exportViewer(
  context: Context,
  { account }: Options,
  [viewerId = '']: string[],
): Promise<void> {
  const em = await context.entityManager()
  await requireAccount(em, account)
  const tables = withApiTimes(await readRowsOfViewer(em, account, viewerId))
  await audited(
    em,
    async () => undefined,
    () => ({ accountId: account, action: 'viewer.export', subject: viewerId, fields: [] }),
  )
  const record = { object: 'viewer_export', account_id: account, viewer_id: viewerId, tables }
  context.out.print(record, jsonText(record, 2))
}

/** A time as PostgreSQL writes it in JSON, with microseconds. */
const DATABASE_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/

/** Writes times as the API does. */
const withApiTimes = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_name, one: unknown) =>
    typeof one === 'string' && DATABASE_TIME.test(one) ? isoUtc(new Date(one)) : one,
  )
