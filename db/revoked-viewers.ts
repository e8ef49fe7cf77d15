import type { EntityManager } from './database.ts'
import { RevokedViewer } from './entities/account.ts'

/** Lets no token of this viewer play any more, and ends what they watch at its next renewal. */
export async function revokeViewer(
  em: EntityManager,
  accountId: number,
  viewerId: string,
): Promise<RevokedViewer> {
  // To repeat it leaves the time of the first.
  await em.execute(
    'insert into revoked_viewer (account_id, viewer_id) values (?, ?) on conflict do nothing',
    [accountId, viewerId],
  )
  return em.findOneOrFail(RevokedViewer, { accountId, viewerId })
}

/** Lets a viewer play again; false where they were not revoked. */
export const restoreViewer = async (
  em: EntityManager,
  accountId: number,
  viewerId: string,
): Promise<boolean> => (await em.nativeDelete(RevokedViewer, { accountId, viewerId })) > 0

/** Who is revoked, the newest first; of all accounts where none is named. */
export const listRevokedViewers = (
  em: EntityManager,
  accountId: number | undefined,
  limit: number,
): Promise<RevokedViewer[]> =>
  em.find(RevokedViewer, accountId === undefined ? {} : { accountId }, {
    ...{ orderBy: { revokedAt: 'desc', accountId: 'asc', viewerId: 'asc' }, limit },
  })
